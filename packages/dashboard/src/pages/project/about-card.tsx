import type { Project } from '@bugle/contract'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatMoment } from '../../ui/time.tsx'
import classes from './about-card.module.css'
import page from './project-page.module.css'

/** What the project is called and who may read it. It is changed with the `bugle` command. */
export function AboutCard({ project }: { readonly project: Project }) {
  const { id, name, slug, isPublic, defaultBranch, createdAt } = project
  return (
    <Card title={name}>
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
            <CopyButton text={id} what="the id" />
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
          <dd>{isPublic ? 'Public: anyone can read its issues' : 'Private'}</dd>
        </div>
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
