/**
 * Returns the delay in milliseconds that a `Retry-After` header requests. The header contains seconds or a date (RFC 9110,
 * 10.2.3), which is compared with `now`, in milliseconds since 1970. Returns `undefined` if it is missing or invalid, and 0 for
 * a date in the past.
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000
  // HTTP dates contain names of days and months. Other dates, such as `2026-12-01`, are invalid, and a negative number would be
  // parsed as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0)
}
