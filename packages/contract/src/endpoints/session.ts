import {
  Link,
  LinkAcceptance,
  LinkRequest,
  PasswordChange,
  Session,
  Setup,
  SignInRequest,
} from '../schemas/people/session.ts'
import { SignInList, SignInParams } from '../schemas/people/sign-ins.ts'
import { View, ViewCreation, ViewList, ViewParams, ViewPatch, ViewQuery } from '../schemas/people/views.ts'
import { endpoint } from './endpoint.ts'
import { BODY_ERRORS, CHANGE_ERRORS, KEY_ERRORS, MEDIUM_BODY_BYTES, SMALL_BODY_BYTES } from './shared.ts'

const CSRF = { 'Bugle-Csrf': '`1`. Required for changes, because pages of other sites cannot send it.' }
const SETS_COOKIE = { 'Set-Cookie': 'The session cookie.' }
const CLEARS_COOKIE = { 'Set-Cookie': 'Clears the cookie.' }

/** People, their sessions and views. Outside `/v1`, because it belongs to the dashboard and may change with it. */
export const sessionEndpoints = {
  signIn: endpoint({
    name: 'signIn',
    method: 'POST',
    path: '/session',
    tag: 'session',
    summary: 'Sign in',
    description:
      'Takes an email address and a password, and sets the session cookie, which works like a key with the scopes of the person. A session ends after 30 days without use, and after 90 days in any case.',
    access: null,
    body: SignInRequest,
    maxBodyBytes: SMALL_BODY_BYTES,
    answers: { 200: { description: 'Signed in.', schema: Session, headers: SETS_COOKIE } },
    errors: ['sign-in-failed', 'csrf-header-required', ...BODY_ERRORS, 'validation-failed'],
  }),

  getSession: endpoint({
    name: 'getSession',
    method: 'GET',
    path: '/session',
    tag: 'session',
    summary: 'Get the current session',
    description: 'The person who is signed in, and their permissions.',
    access: 'signed-in',
    answers: { 200: { description: 'The session.', schema: Session } },
    errors: KEY_ERRORS,
  }),

  signOut: endpoint({
    name: 'signOut',
    method: 'DELETE',
    path: '/session',
    tag: 'session',
    summary: 'Sign out',
    description: 'Ends this session and its open streams.',
    access: 'signed-in',
    headers: CSRF,
    answers: { 204: { description: 'Signed out.', headers: CLEARS_COOKIE } },
    errors: CHANGE_ERRORS,
  }),

  getSetup: endpoint({
    name: 'getSetup',
    method: 'GET',
    path: '/session/setup',
    tag: 'session',
    summary: 'Check whether the server is set up',
    description: 'For the sign-in page: as long as there is no admin, it shows where to find the setup link.',
    access: null,
    answers: { 200: { description: 'The state.', schema: Setup } },
    errors: [],
  }),

  readLink: endpoint({
    name: 'readLink',
    method: 'POST',
    path: '/session/link',
    tag: 'session',
    summary: 'Read a one-time link',
    description: 'Returns who the link is for. The link stays valid.',
    access: null,
    body: LinkRequest,
    maxBodyBytes: SMALL_BODY_BYTES,
    answers: { 200: { description: 'The link.', schema: Link } },
    errors: ['link-invalid', 'csrf-header-required', ...BODY_ERRORS, 'validation-failed'],
  }),

  acceptLink: endpoint({
    name: 'acceptLink',
    method: 'POST',
    path: '/session/link/accept',
    tag: 'session',
    summary: 'Set a password with a one-time link',
    description:
      'Redeems the link, sets the password and signs in. All other sessions of the person end. The first admin also provides their email address and name.',
    access: null,
    body: LinkAcceptance,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 200: { description: 'Signed in.', schema: Session, headers: SETS_COOKIE } },
    errors: ['link-invalid', 'csrf-header-required', ...BODY_ERRORS, 'validation-failed'],
  }),

  changePassword: endpoint({
    name: 'changePassword',
    method: 'POST',
    path: '/session/password',
    tag: 'session',
    summary: 'Change the password',
    description: 'All other sessions of the person end.',
    access: 'signed-in',
    headers: CSRF,
    body: PasswordChange,
    maxBodyBytes: SMALL_BODY_BYTES,
    answers: { 204: { description: 'The password was changed.' } },
    errors: [...CHANGE_ERRORS, ...BODY_ERRORS, 'validation-failed'],
  }),

  listSignIns: endpoint({
    name: 'listSignIns',
    method: 'GET',
    path: '/session/sign-ins',
    tag: 'session',
    summary: 'List sessions',
    description: 'The active sessions of the person, at most 100.',
    access: 'signed-in',
    answers: { 200: { description: 'The sessions.', schema: SignInList } },
    errors: KEY_ERRORS,
  }),

  endSignIn: endpoint({
    name: 'endSignIn',
    method: 'DELETE',
    path: '/session/sign-ins/{id}',
    tag: 'session',
    summary: 'End a session',
    description: 'Signs out another browser, or this one.',
    access: 'signed-in',
    headers: CSRF,
    params: SignInParams,
    answers: { 204: { description: 'The session has ended.' } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),

  endAllSignIns: endpoint({
    name: 'endAllSignIns',
    method: 'DELETE',
    path: '/session/sign-ins',
    tag: 'session',
    summary: 'Sign out everywhere',
    description: 'Ends all sessions of the person, including this one.',
    access: 'signed-in',
    headers: CSRF,
    answers: { 204: { description: 'All sessions have ended.', headers: CLEARS_COOKIE } },
    errors: CHANGE_ERRORS,
  }),

  listViews: endpoint({
    name: 'listViews',
    method: 'GET',
    path: '/session/views',
    tag: 'session',
    summary: 'List saved views',
    description:
      "The person's saved filters of the issue list. With `projectId`, those of one project, and the ones that other people share there.",
    access: 'signed-in',
    query: ViewQuery,
    answers: { 200: { description: 'The views.', schema: ViewList } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter'],
  }),

  createView: endpoint({
    name: 'createView',
    method: 'POST',
    path: '/session/views',
    tag: 'session',
    summary: 'Save a view',
    description:
      'Saves the filters of an issue list under a name. A person can have 50 views, and a project 100 shared ones.',
    access: 'signed-in',
    headers: CSRF,
    body: ViewCreation,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 201: { description: 'The view.', schema: View } },
    errors: [...CHANGE_ERRORS, ...BODY_ERRORS, 'not-found', 'limit-reached', 'validation-failed'],
  }),

  changeView: endpoint({
    name: 'changeView',
    method: 'PATCH',
    path: '/session/views/{id}',
    tag: 'session',
    summary: 'Change a saved view',
    description:
      'Renames a view, replaces its filters, shares it with the project or stops sharing it. Only the person who saved it can do this.',
    access: 'signed-in',
    headers: CSRF,
    params: ViewParams,
    body: ViewPatch,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    mediaTypes: ['application/merge-patch+json', 'application/json'],
    answers: { 200: { description: 'The view.', schema: View } },
    errors: [
      ...CHANGE_ERRORS,
      ...BODY_ERRORS,
      'not-found',
      'not-author',
      'limit-reached',
      'validation-failed',
    ],
  }),

  deleteView: endpoint({
    name: 'deleteView',
    method: 'DELETE',
    path: '/session/views/{id}',
    tag: 'session',
    summary: 'Delete a saved view',
    description:
      'The issues in it are not affected. A shared view can also be deleted by people with `issues:delete`, as everyone sees it.',
    access: 'signed-in',
    headers: CSRF,
    params: ViewParams,
    answers: { 204: { description: 'The view was deleted.' } },
    errors: [...CHANGE_ERRORS, 'not-found', 'not-author'],
  }),
}
