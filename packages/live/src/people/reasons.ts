import type { EngineError } from '@harvestman/ports'

/** Reasons why a page needs a person, with the sentence that the person reads. */
export const personReasons = {
  login_expired: 'The login has expired. Log in, then press Done.',
  captcha: 'The site asks for a captcha. Solve it, then press Done.',
  second_factor: 'The site asks for a second factor. Enter it, then press Done.',
  confirmation: 'The site asks for a confirmation. Confirm, then press Done.',
} as const

/** The reason why a page needs a person. */
export type PersonReason = keyof typeof personReasons

/** Returns why an error needs a person, or `undefined` if a person cannot help. */
export function reasonOf({ code, details }: Pick<EngineError, 'code' | 'details'>): PersonReason | undefined {
  const { reason, signal } = details ?? {}
  const named = [reason, signal].find((one) => typeof one === 'string' && Object.hasOwn(personReasons, one))
  // Cast: it is a key of the reasons.
  if (named !== undefined) return named as PersonReason
  return code === 'logged_out' || signal === 'login' ? 'login_expired' : undefined
}
