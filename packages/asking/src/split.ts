import { estimateTokens } from '@harvestman/toolbox/tokens'

/**
 * Splits Markdown into parts of at most `mostTokens`: before headings if possible, else between blocks, lines, sentences or
 * words.
 */
export function splitText(text: string, mostTokens: number): readonly string[] {
  if (estimateTokens(text) <= mostTokens) return [text]
  const parts: string[] = []
  let part = ''
  let size = 0
  for (const piece of piecesOf(text, mostTokens)) {
    const tokens = estimateTokens(piece)
    if (part !== '' && size + tokens > mostTokens) {
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
function piecesOf(text: string, mostTokens: number, depth = 0): readonly string[] {
  if (estimateTokens(text) <= mostTokens) return [text]
  const end = ends[depth]
  if (end) return text.split(end).flatMap((piece) => piecesOf(piece, mostTokens, depth + 1))
  // A token has at least one character.
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += mostTokens) pieces.push(text.slice(at, at + mostTokens))
  return pieces
}
