import type { GivenOptions } from '../options.ts'

/**
 * Whether a recipient may receive mails: `team` without asking, `opt_in` once it has confirmed, or `never`.
 */
export type MailRule = (address: string) => 'team' | 'opt_in' | 'never'

/**
 * Builds the rule from the `mailTo` option. Listed mailboxes (`ops@example.com`) and domains (`@example.com`) belong to the
 * operator's team. `*` allows all others, who must confirm first.
 */
export function mailRule({ mailTo }: Pick<GivenOptions, 'mailTo'>): MailRule {
  const allowed = new Set(mailTo.map((one) => one.toLowerCase()))
  return (address) => {
    const known = address.toLowerCase()
    if (allowed.has(known) || allowed.has(known.slice(known.lastIndexOf('@')))) return 'team'
    return allowed.has('*') ? 'opt_in' : 'never'
  }
}
