import type { Project } from '@bugle/contract'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/clipboard/copy-button.tsx'
import { formatMoment } from '../../ui/time.tsx'
import classes from './about-card.module.css'
import page from './project-page.module.css'

/** Name, visibility and other settings, which are changed with the `bugle` command. */
export function AboutCard({ project }: { readonly project: Project }) {
  const { id, name, slug, isPublic, defaultBranch, createdAt, description } = project
  return (
    <Card title={name}>
      {description !== null && (
        <p className={classes['description']} dir="auto">
          {description}
        </p>
      )}
      <dl className={classes['facts']}>
        <div>
          <dt>Slug</dt>
          <dd className={page['code']}>
            {slug}
            <CopyButton text={slug} what="the slug" />
          </dd>
        </div>
        <div>
          <dt>ID</dt>
          <dd className={page['code']}>
            {id}
            <CopyButton text={id} what="the ID" />
          </dd>
        </div>
        <div>
          <dt>Default branch</dt>
          <dd className={page['code']}>
            <bdi>{defaultBranch}</bdi>
          </dd>
        </div>
        <div>
          <dt>Visibility</dt>
          <dd>
            {isPublic ? (
              <a href={`/p/${slug}`} target="_blank" rel="noreferrer" className={classes['link']}>
                Public: anyone can read its issues
              </a>
            ) : (
              'Private'
            )}
          </dd>
        </div>
        <LinkFact name="Website" url={project.websiteUrl} />
        <LinkFact name="Repository" url={project.repositoryUrl} />
        <div>
          <dt>Created</dt>
          <dd>
            <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function LinkFact({ name, url }: { readonly name: string; readonly url: string | null }) {
  // Only http and https URLs become links, whatever is stored.
  if (url === null || !/^https?:\/\//.test(url)) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <a href={url} target="_blank" rel="noreferrer" className={classes['link']}>
          <bdi>{url.replace(/^https?:\/\//, '').replace(/\/$/, '')}</bdi>
        </a>
      </dd>
    </div>
  )
}
