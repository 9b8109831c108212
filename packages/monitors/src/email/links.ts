// Links in mails. A link holds a random token of 256 bits, so it cannot be guessed.
import type { RecipientRecord } from '../records/recipients.ts'

/** Actions of links in mails. */
export const emailActions = ['confirm', 'unsubscribe'] as const
/** Action of a link in a mail. */
export type EmailAction = (typeof emailActions)[number]

/** Narrows the path parameter of a link. An unknown action is `unsubscribe`. */
export function actionOf(action: string): EmailAction {
  return emailActions.find((one) => one === action) ?? 'unsubscribe'
}

/** Returns the URL of the page of a link. */
export type LinkTo = (action: EmailAction, recipient: Pick<RecipientRecord, 'token'>) => string

/** Returns the function that builds links, or `undefined` if the public URL of the server is unknown. */
export function linksAt(publicUrl: string | undefined): LinkTo | undefined {
  if (publicUrl === undefined) return undefined
  const base = publicUrl.replace(/\/+$/, '')
  return (action, { token }) => `${base}/v2/monitor/email/${action}/${token}`
}
