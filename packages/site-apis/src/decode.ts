const charset = /;\s*charset\s*=\s*(?:"([^"]{0,40})"|([^\s;"]{1,40}))/i

/** The charset of a `content-type` header, UTF-8 by default. */
export function charsetOf(contentType = ''): string {
  const [, quoted, plain] = charset.exec(contentType.slice(0, 300)) ?? []
  return quoted ?? plain ?? 'utf-8'
}

/** Decodes the body of a response by the charset of its `content-type` header. `undefined` if the charset is unknown. */
export function decodeBody(body: Uint8Array, contentType: string | undefined): string | undefined {
  try {
    return new TextDecoder(charsetOf(contentType)).decode(body)
  } catch {
    return undefined
  }
}
