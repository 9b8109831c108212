import { estimateTokens } from '@harvestman/toolbox/tokens'

/**
 * Splits Markdown into parts of at most `maxTokens` estimated tokens: before headings if possible, else between blocks, lines,
 * sentences or words. Text that fits is returned unchanged, as the only part.
 */
export function splitText(text: string, maxTokens: number): readonly string[] {
  if (estimateTokens(text) <= maxTokens) return [text]
  const parts: string[] = []
  let part = ''
  let size = 0
  for (const piece of piecesOf(text, maxTokens)) {
    const tokens = estimateTokens(piece)
    if (part !== '' && size + tokens > maxTokens) {
      parts.push(part)
      part = ''
      size = 0
    }
    part += piece
    size += tokens
  }
  if (part.trim() !== '') parts.push(part)
  return parts
}

const ends = [/(?=^#{1,6} )/m, /(?<=\n\n)/, /(?<=\n)/, /(?<=[.!?。] )/, /(?<= )/]

/** Splits at the largest boundaries that make each chunk small enough. */
function piecesOf(text: string, maxTokens: number, depth = 0): readonly string[] {
  if (estimateTokens(text) <= maxTokens) return [text]
  const end = ends[depth]
  if (end) return text.split(end).flatMap((piece) => piecesOf(piece, maxTokens, depth + 1))
  // A token has at least one character.
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += maxTokens) pieces.push(text.slice(at, at + maxTokens))
  return pieces
}
