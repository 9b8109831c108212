/** Credits for each minute of a live browser; all cost `minuteWithPrompt` once a task in words was run in it. */
export const sessionTariff = { minute: 2, minuteWithPrompt: 7 } as const

/** Price of a live browser in credits, rounded up, and that of a minute at least. */
export function sessionPrice(ms: number, hasPrompt: boolean): number {
  const minute = hasPrompt ? sessionTariff.minuteWithPrompt : sessionTariff.minute
  return Math.max(minute, Math.ceil((minute * ms) / 60_000))
}
