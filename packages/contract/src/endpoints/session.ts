import {
  Link,
  LinkAcceptance,
  LinkRequest,
  PasswordChange,
  Session,
  Setup,
  SignInRequest,
} from '../schemas/session.ts'
import { SignInList, SignInParams } from '../schemas/sign-ins.ts'
import { View, ViewCreation, ViewList, ViewParams } from '../schemas/views.ts'
import { endpoint } from './endpoint.ts'
import { BODY_ERRORS, CHANGE_ERRORS, KEY_ERRORS, MEDIUM_BODY_BYTES, SMALL_BODY_BYTES } from './shared.ts'

const CSRF = { 'Bugle-Csrf': '`1`. Without it a change is refused: pages of other sites cannot send it.' }
const SETS_COOKIE = { 'Set-Cookie': 'The cookie of the sign-in.' }
const CLEARS_COOKIE = { 'Set-Cookie': 'Clears the cookie.' }

/** People and their own things. Outside `/v1`: it is the dashboard's, and may change with it. */
export const sessionEndpoints = {
  signIn: endpoint({
    name: 'signIn',
    method: 'POST',
    path: '/session',
    tag: 'session',
    summary: 'Sign in',
    description:
      'Takes an e-mail address and a password, and sets the cookie that then counts like a key with the scopes of the person. It ends 30 days after its last use, and 90 days after it began.',
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
    summary: 'Who is signed in',
    description: 'The person behind the cookie, and what they may do.',
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
    description: 'Ends this sign-in, and open streams with it.',
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
    summary: 'Whether the server still has to be set up',
    description: 'For the sign-in page: while there is no admin, it says where to find the setup link.',
    access: null,
    answers: { 200: { description: 'The state.', schema: Setup } },
    errors: [],
  }),

  readLink: endpoint({
    name: 'readLink',
    method: 'POST',
    path: '/session/link',
    tag: 'session',
    summary: 'What a one-time link is for',
    description: 'Says whose link it is. The link is not used up.',
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
    summary: 'Set a password by a one-time link',
    description:
      'Uses the link up, sets the password and signs in. Every other sign-in of the person ends. The first person of all also says their e-mail address and name.',
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
    description: 'Every other sign-in of the person ends.',
    access: 'signed-in',
    headers: CSRF,
    body: PasswordChange,
    maxBodyBytes: SMALL_BODY_BYTES,
    answers: { 204: { description: 'The new password counts.' } },
    errors: [...CHANGE_ERRORS, ...BODY_ERRORS, 'validation-failed'],
  }),

  listSignIns: endpoint({
    name: 'listSignIns',
    method: 'GET',
    path: '/session/sign-ins',
    tag: 'session',
    summary: 'Where one is signed in',
    description: 'The sign-ins of the person that have not ended: at most 100.',
    access: 'signed-in',
    answers: { 200: { description: 'The sign-ins.', schema: SignInList } },
    errors: KEY_ERRORS,
  }),

  endSignIn: endpoint({
    name: 'endSignIn',
    method: 'DELETE',
    path: '/session/sign-ins/{id}',
    tag: 'session',
    summary: 'End a sign-in',
    description: 'Signs out another browser, or this one.',
    access: 'signed-in',
    headers: CSRF,
    params: SignInParams,
    answers: { 204: { description: 'It has ended.' } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),

  endAllSignIns: endpoint({
    name: 'endAllSignIns',
    method: 'DELETE',
    path: '/session/sign-ins',
    tag: 'session',
    summary: 'Sign out everywhere',
    description: 'Ends every sign-in of the person, this one too.',
    access: 'signed-in',
    headers: CSRF,
    answers: { 204: { description: 'All have ended.', headers: CLEARS_COOKIE } },
    errors: CHANGE_ERRORS,
  }),

  listViews: endpoint({
    name: 'listViews',
    method: 'GET',
    path: '/session/views',
    tag: 'session',
    summary: 'List saved views',
    description: 'The lists of issues that the person comes back to. Nobody else sees them.',
    access: 'signed-in',
    answers: { 200: { description: 'The views.', schema: ViewList } },
    errors: KEY_ERRORS,
  }),

  createView: endpoint({
    name: 'createView',
    method: 'POST',
    path: '/session/views',
    tag: 'session',
    summary: 'Save a view',
    description: 'Keeps the filters of a list of issues under a name. A person may have 50.',
    access: 'signed-in',
    headers: CSRF,
    body: ViewCreation,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 201: { description: 'The view.', schema: View } },
    errors: [...CHANGE_ERRORS, ...BODY_ERRORS, 'not-found', 'limit-reached', 'validation-failed'],
  }),

  deleteView: endpoint({
    name: 'deleteView',
    method: 'DELETE',
    path: '/session/views/{id}',
    tag: 'session',
    summary: 'Delete a saved view',
    description: 'The issues that it lists are not touched.',
    access: 'signed-in',
    headers: CSRF,
    params: ViewParams,
    answers: { 204: { description: 'It is gone.' } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),
}
