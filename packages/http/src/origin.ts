const origin = /^(https?):\/\/[^/?#]+/i
const schemes: ReadonlySet<string> = new Set(['http', 'https'])

/**
 * How whoever asks reaches this server: the host of the request, with the scheme that a proxy in front says it was asked
 * with. The header is believed because it changes nothing but what its own sender is told.
 */
export function originOf({ url, headers }: Request): string {
  const [found = '', scheme = ''] = origin.exec(url) ?? []
  const forwarded = headers.get('x-forwarded-proto')?.split(',', 1)[0]?.trim().toLowerCase()
  return forwarded !== undefined && schemes.has(forwarded) ? forwarded + found.slice(scheme.length) : found
}
