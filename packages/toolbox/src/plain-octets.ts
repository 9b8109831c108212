/**
 * Normalizes percent-encoding, because octets are compared: decodes letters, digits and `-._~`, and encodes everything that is
 * not visible ASCII (RFC 9309, 2.2.2).
 */
export function plainOctets(text: string): string {
  if (!/[^\x21-\x7e]|%/.test(text)) return text
  return text.toWellFormed().replace(/%[\da-f]{2}|[^\x21-\x7e]/giu, (piece) => {
    if (piece.length !== 3 || !piece.startsWith('%')) return encodeURIComponent(piece)
    const letter = String.fromCharCode(Number.parseInt(piece.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : piece.toUpperCase()
  })
}
