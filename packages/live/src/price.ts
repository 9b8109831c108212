/** Credits per minute of a live browser. `minuteWithPrompt` applies to all minutes if a prompt was run in it. */
export const sessionTariff = { minute: 2, minuteWithPrompt: 7 } as const

/**
 * Returns the price of a live browser in credits, rounded up. The minimum is the price of one minute. `ms` is how long
 * it was open, in milliseconds.
 */
export function sessionPrice(ms: number, hasPrompt: boolean): number {
  const minute = hasPrompt ? sessionTariff.minuteWithPrompt : sessionTariff.minute
  return Math.max(minute, Math.ceil((minute * ms) / 60_000))
}
