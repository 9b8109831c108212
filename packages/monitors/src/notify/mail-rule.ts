import type { GivenOptions } from '../options.ts'

/**
 * Returns whether a recipient may receive mails. `team`: without confirmation. `opt_in`: after confirmation. `never`: not at
 * all.
 */
export type MailRule = (address: string) => 'team' | 'opt_in' | 'never'

/**
 * Builds the rule from the `mailTo` option, whose entries were validated before; case is ignored. Listed mailboxes
 * (`ops@example.com`) and domains (`@example.com`) belong to the operator's team. `*` allows all others, who must confirm
 * first. The rule returns `team`, `opt_in` or, for all other addresses, `never`.
 */
export function mailRule({ mailTo }: Pick<GivenOptions, 'mailTo'>): MailRule {
  const allowed = new Set(mailTo.map((one) => one.toLowerCase()))
  return (address) => {
    const known = address.toLowerCase()
    if (allowed.has(known) || allowed.has(known.slice(known.lastIndexOf('@')))) return 'team'
    return allowed.has('*') ? 'opt_in' : 'never'
  }
}
