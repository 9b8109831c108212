import { isRecord, type Json, type Task } from '@harvestman/ports'
import { isNewerRecord, layout } from '../records/layout.ts'

/** The kind of the tasks under which work is lent. */
export const loanKind = 'loan'

/** Pieces of work in one task. */
export const mostPieces = 8
/** Most characters of one piece as JSON: a longer one is done where it is. */
export const mostOfPiece = 8_192
/** Places that one engine is lent by all others. */
export const mostPlaces = 4_096

/** An engine has more work than places, and asks who has some. */
export interface Offer {
  readonly is: 'offer'
  /** The engine that lends. */
  readonly by: string
  readonly id: string
}

/** Work that is lent. */
export interface LoanTask {
  readonly is: 'work'
  readonly by: string
  readonly id: string
  /** Group that the pieces belong to. */
  readonly group: string
  readonly pieces: readonly Json[]
  /** Times that it was handed on by an engine that had no place for it. */
  readonly passed?: number
}

/** Results of some of the pieces of a loan. */
export interface LoanPart {
  /** Names the borrower, and this try of it. */
  readonly by: string
  readonly came: readonly PieceResult[]
}

/** Result of a piece, by its number; without a value, it is given back. */
export interface PieceResult {
  readonly piece: number
  readonly value?: Json
  /** Given back because there is no place, and not because it cannot be done there. */
  readonly isFull?: boolean
}

/** The answer to an offer. */
export interface Answer {
  readonly places: number
}

type Body = Offer | LoanTask

const bodyLayout = layout<Body & { readonly pieces?: readonly Json[] }>(1, { is: 'text', by: 'text', id: 'text' })
const partLayout = layout<LoanPart>(1, { by: 'text', came: 'list' })
const answerLayout = layout<Answer>(1, { places: 'number' })

export const sealBody = (body: Body): Json => bodyLayout.seal(body)
export const sealPart = (part: LoanPart): Json => partLayout.seal(part)
export const sealAnswer = (answer: Answer): Json => answerLayout.seal(answer)

const longestName = 512

/** Reads a task of the queue; undefined when it is malformed. One of a newer version is refused. */
export function bodyIn({ body: kept }: Task): Body | undefined {
  const body = bodyLayout.openWhole('A loan', kept)
  if (!body || body.by.length > longestName || !/^[\w-]{1,100}$/.test(body.id)) return undefined
  if (body.is === 'offer') return body
  const { group, pieces } = body as Partial<LoanTask>
  const isWhole = body.is === 'work' && typeof group === 'string' && group.length <= longestName
  if (!isWhole || !Array.isArray(pieces) || pieces.length > mostPieces) return undefined
  return pieces.every((piece) => JSON.stringify(piece).length <= mostOfPiece) ? body : undefined
}

/** A part as it is kept; nothing when it is not as one is written. */
export function partIn(kept: unknown, pieces: number): LoanPart | undefined {
  const part = openOr(() => partLayout.openWhole('A part of a loan', kept as Json | undefined))
  if (!part || part.came.length > pieces) return undefined
  return part.came.every((one) => isResult(one, pieces)) ? part : undefined
}

export function answerIn(kept: unknown): Answer | undefined {
  const answer = openOr(() => answerLayout.openWhole('An answer to an offer', kept as Json | undefined))
  return answer && Number.isInteger(answer.places) && answer.places >= 0 ? answer : undefined
}

function isResult(one: unknown, pieces: number): boolean {
  if (!isRecord(one)) return false
  const { piece } = one
  return Number.isInteger(piece) && (piece as number) >= 0 && (piece as number) < pieces
}

/** Takes a record of a newer version for nothing: the work is taken back, and done here. */
function openOr<T>(open: () => T | undefined): T | undefined {
  try {
    return open()
  } catch (error) {
    if (isNewerRecord(error)) return undefined
    throw error
  }
}
