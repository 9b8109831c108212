/** Returns headers as a flat list for HTTP/1.1, with the names in the case that browsers use. */
export function wireHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [isLowerCase(name) ? name : titled(name), value])
}

// Browsers send the names of client hints in lower case.
function isLowerCase(name: string): boolean {
  return name.startsWith('sec-ch-') || name === 'priority'
}

function titled(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/**
 * Converts raw names and values to pairs, with names in lower case and trimmed values. Each byte of a value becomes one
 * character (Latin-1).
 */
export function headerPairs(raw: readonly Uint8Array[]): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    pairs.push([latin1(raw[at]!).toLowerCase(), latin1(raw[at + 1]!).trim()])
  }
  return pairs
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
