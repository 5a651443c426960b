import type { Issue, IssueListItem } from '@bugle/contract'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { MERGE_KEYS } from '../../keyboard/assign-commands.ts'
import { Keys } from '../../keyboard/keys.tsx'
import { useProject } from '../../shell/current-project.ts'
import { issueAddress } from '../../shell/issue-address.ts'
import { Icon } from '../../ui/icons/icons.tsx'
import { formatCount } from '../../ui/words.ts'
import type { IssueReporter } from './conversation/reporters.ts'
import { copyIssueLink, copyIssueMarkdown } from './copy/copy-issue.ts'
import classes from './issue-head.module.css'
import { canPublish, type IssueActions } from './use-issue-commands.ts'
import type { Neighbours } from './use-neighbours.ts'

interface IssueHeadProps extends IssueActions {
  readonly issue: Issue
  /** The reporter, if there is one who can receive replies and no other. */
  readonly onlyReporter: IssueReporter | undefined
}

/** Navigation, and actions for the whole issue. */
export function IssueHead({ issue, neighbours, onlyReporter, ...actions }: IssueHeadProps) {
  const { slug } = useProject()
  const { mayTriage, mayDelete, onEdit, onAsk } = actions
  return (
    <header className={classes['head']}>
      <Link
        to="/projects/$slug/issues"
        params={{ slug }}
        search={neighbours?.search ?? {}}
        className={classes['back']}
      >
        <Icon name="left" />
        Inbox
      </Link>
      <span className={classes['number']}>#{issue.issueNumber}</span>
      {neighbours !== undefined && <NeighbourLinks neighbours={neighbours} />}
      <div className={classes['actions']}>
        <Tooltip label="Copy link">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Copy link"
            onClick={() => void copyIssueLink(slug, issue)}
          >
            <Icon name="link" />
          </ActionIcon>
        </Tooltip>
        {mayTriage && (
          <Tooltip label="Edit title and description">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Edit title and description"
              onClick={onEdit}
            >
              <Icon name="edit" />
            </ActionIcon>
          </Tooltip>
        )}
        <Menu position="bottom-end" width={264}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label="More">
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<Icon name="copy" />}
              rightSection={<Keys keys="shift+y" />}
              onClick={() => void copyIssueMarkdown(slug, issue)}
            >
              Copy as Markdown
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="link" />}
              rightSection={<Keys keys="y" />}
              onClick={() => void copyIssueLink(slug, issue)}
            >
              Copy link
            </Menu.Item>
            {mayTriage && canPublish(issue) && (
              <Menu.Item leftSection={<Icon name="docs" />} onClick={() => onAsk('publish')}>
                {issue.known === null ? 'Publish as a known issue…' : 'Edit the known issue…'}
              </Menu.Item>
            )}
            {mayTriage && issue.spamAt === null && (
              <>
                <Menu.Item
                  leftSection={<Icon name="merge" />}
                  rightSection={<Keys keys={MERGE_KEYS} />}
                  onClick={() => onAsk('merge')}
                >
                  Mark as duplicate of…
                </Menu.Item>
                <Menu.Item leftSection={<Icon name="warning" />} onClick={() => onAsk('spam')}>
                  Mark as spam…
                </Menu.Item>
              </>
            )}
            {mayTriage && onlyReporter !== undefined && (
              <Menu.Item leftSection={<Icon name="person" />} onClick={() => onAsk('block')}>
                {onlyReporter.isBlocked ? 'Unblock reporter…' : 'Block reporter…'}
              </Menu.Item>
            )}
            {mayDelete && (
              <>
                <Menu.Divider />
                <Menu.Item
                  leftSection={<Icon name="trash" />}
                  className={classes['danger'] ?? ''}
                  onClick={() => onAsk('delete')}
                >
                  Delete…
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  )
}

function NeighbourLinks({ neighbours }: { readonly neighbours: Neighbours }) {
  const { previous, next, place, total } = neighbours
  return (
    <div className={classes['neighbours']}>
      <Step to={previous} label="Previous issue" icon="up" />
      <Step to={next} label="Next issue" icon="down" />
      <span className={classes['place']}>
        {formatCount(place)}
        {total !== null && ` of ${formatCount(total)}`}
      </span>
    </div>
  )
}

interface StepProps {
  readonly to: IssueListItem | undefined
  readonly label: string
  readonly icon: 'up' | 'down'
}

function Step({ to, label, icon }: StepProps) {
  const { slug } = useProject()
  if (to === undefined) {
    return (
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} disabled>
        <Icon name={icon} />
      </ActionIcon>
    )
  }
  return (
    <Tooltip label={label}>
      <ActionIcon
        renderRoot={(props) => <Link {...issueAddress(slug, to)} replace {...props} />}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  )
}
