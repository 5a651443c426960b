import type {
  ChangeCommentOutcome,
  CommentChange,
  CommentDeletion,
  CommentListing,
  CommentPlace,
  CommentRecord,
  CreateCommentOutcome,
  DeleteCommentOutcome,
  NewComment,
} from '../../model/comments/comments.ts'
import type { ProjectId } from '../../model/ids.ts'

export interface CommentStorage {
  /** Stores a comment exactly once: repeating an id with the same content returns the comment again. */
  create(comment: NewComment): Promise<CreateCommentOutcome>
  /** Only the author can change or delete a comment. */
  change(command: CommentChange): Promise<ChangeCommentOutcome>
  /** Removes the text. The history keeps that there was a comment, and its id is not reused. */
  delete(command: CommentDeletion): Promise<DeleteCommentOutcome>
  /** The comments of an issue, oldest first. */
  list(listing: CommentListing): Promise<readonly CommentRecord[]>
  /** Comments of a project, in any order. Those that are missing or deleted are left out. */
  findSome(projectId: ProjectId, places: readonly CommentPlace[]): Promise<readonly CommentRecord[]>
}
