/** Milliseconds that a `Retry-After` header asks to wait: it holds seconds or a date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000
  // Dates without letters, as `2026-12-01`, are none of HTTP, and a negative number would be read as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0)
}
