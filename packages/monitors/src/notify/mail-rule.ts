import type { GivenOptions } from '../options.ts'

/** Whether a recipient may receive mails. */
export type MailRule = (address: string) => boolean

/**
 * Builds the rule from the `mailTo` option: addresses (`ops@example.com`), domains (`@example.com`) or `*`. All others are
 * blocked, because they have not agreed to receive mails.
 */
export function mailRule({ mailTo }: Pick<GivenOptions, 'mailTo'>): MailRule {
  const allowed = new Set(mailTo.map((one) => one.toLowerCase()))
  return (address) => {
    const known = address.toLowerCase()
    return allowed.has('*') || allowed.has(known) || allowed.has(known.slice(known.lastIndexOf('@')))
  }
}
