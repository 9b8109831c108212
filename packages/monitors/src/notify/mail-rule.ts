import type { GivenOptions } from '../options.ts'

/** Returns whether mails may be sent to an address. */
export type MailRule = (address: string) => boolean

/**
 * Makes the rule for recipients: `mailTo` of the operator names addresses (`ops@example.com`), domains (`@example.com`) or
 * `*` for all. Nobody else is sent a mail, because nobody else has agreed to it.
 */
export function mailRule({ mailTo }: Pick<GivenOptions, 'mailTo'>): MailRule {
  const allowed = new Set(mailTo.map((one) => one.toLowerCase()))
  return (address) => {
    const known = address.toLowerCase()
    return allowed.has('*') || allowed.has(known) || allowed.has(known.slice(known.lastIndexOf('@')))
  }
}
