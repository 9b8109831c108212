import { estimateTokens } from '@harvestman/ports/adapters'

/** Splits a text where it has its own ends: before headings, between blocks, between lines, and anywhere when it must be. */
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

/** Pieces that are small enough, cut at the largest ends that make them so. */
function piecesOf(text: string, mostTokens: number, depth = 0): readonly string[] {
  if (estimateTokens(text) <= mostTokens) return [text]
  const end = ends[depth]
  if (end) return text.split(end).flatMap((piece) => piecesOf(piece, mostTokens, depth + 1))
  // A token is a letter or more.
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += mostTokens) pieces.push(text.slice(at, at + mostTokens))
  return pieces
}
