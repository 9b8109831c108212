/** What a live browser costs for each minute, in credits; with a task in words for all its minutes, when one was ever run in it. */
export const sessionTariff = { minute: 2, minuteWithPrompt: 7 } as const

/** To the started credit, and a minute at least. */
export function sessionPrice(ms: number, hasPrompt: boolean): number {
  const minute = hasPrompt ? sessionTariff.minuteWithPrompt : sessionTariff.minute
  return Math.max(minute, Math.ceil((minute * ms) / 60_000))
}
