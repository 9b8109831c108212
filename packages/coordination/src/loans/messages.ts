import { isRecord, type Json, type Task } from '@harvestman/ports'
import { isNewerRecord, layout } from '../records/layout.ts'

/** Kind of the queue tasks that carry lent work. */
export const loanKind = 'loan'

/** Maximum number of items in one task. */
export const maxItems = 8
/** Maximum length of one item as JSON, in characters; longer ones are not lent. */
export const maxItemLength = 8_192
/** Maximum number of slots that one engine gets from all others. */
export const maxSlots = 4_096

/** Sent by an engine that has more work than slots, to find engines with free slots. */
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
  /** Group of the items. */
  readonly group: string
  readonly pieces: readonly Json[]
  /** How often it was passed on by an engine without a free slot. */
  readonly passed?: number
}

/** Results of some items of a loan. */
export interface LoanPart {
  /** The borrower, and its attempt. */
  readonly by: string
  readonly came: readonly PieceResult[]
}

/** Result of an item, by its number. Without a value, the item is returned to its owner. */
export interface PieceResult {
  readonly piece: number
  readonly value?: Json
  /** The item is returned because no slot is free, not because it cannot be done there. */
  readonly isFull?: boolean
}

/** The response to an offer. */
export interface Answer {
  readonly places: number
}

type Body = Offer | LoanTask

const bodyLayout = layout<Body & { readonly pieces?: readonly Json[] }>(1, { is: 'text', by: 'text', id: 'text' })
const partLayout = layout<LoanPart>(1, { by: 'text', came: 'list' })
const answerLayout = layout<Answer>(1, { places: 'number' })

/** Returns a task for the queue in its stored form, with the number of its layout. */
export const sealBody = (body: Body): Json => bodyLayout.seal(body)
/** Returns a part of a loan's results in its stored form, with the number of its layout. */
export const sealPart = (part: LoanPart): Json => partLayout.seal(part)
/** Returns an answer to an offer in its stored form, with the number of its layout. */
export const sealAnswer = (answer: Answer): Json => answerLayout.seal(answer)

const maxNameLength = 512

/** Reads a task of the queue. Returns `undefined` if it is malformed; throws `newer_version` if a newer version wrote it. */
export function parseBody({ body: kept }: Task): Body | undefined {
  const body = bodyLayout.openWhole('A loan', kept)
  if (!body || body.by.length > maxNameLength || !/^[\w-]{1,100}$/.test(body.id)) return undefined
  if (body.is === 'offer') return body
  const { group, pieces } = body as Partial<LoanTask>
  const isValid = body.is === 'work' && typeof group === 'string' && group.length <= maxNameLength
  if (!isValid || !Array.isArray(pieces) || pieces.length > maxItems) return undefined
  return pieces.every((piece) => JSON.stringify(piece).length <= maxItemLength) ? body : undefined
}

/**
 * Reads a stored part; returns `undefined` if it is absent, malformed or of a newer version. `pieces` is the number of work
 * items of the loan.
 */
export function parsePart(kept: unknown, pieces: number): LoanPart | undefined {
  const part = openOr(() => partLayout.openWhole('A part of a loan', kept as Json | undefined))
  if (!part || part.came.length > pieces) return undefined
  return part.came.every((one) => isResult(one, pieces)) ? part : undefined
}

/** Reads a stored answer to an offer; returns `undefined` if it is absent, malformed or of a newer version. */
export function parseAnswer(kept: unknown): Answer | undefined {
  const answer = openOr(() => answerLayout.openWhole('An answer to an offer', kept as Json | undefined))
  return answer && Number.isInteger(answer.places) && answer.places >= 0 ? answer : undefined
}

function isResult(one: unknown, pieces: number): boolean {
  if (!isRecord(one)) return false
  const { piece } = one
  return Number.isInteger(piece) && (piece as number) >= 0 && (piece as number) < pieces
}

/** Treats a record of a newer version as missing: the work is then taken back and done here. */
function openOr<T>(open: () => T | undefined): T | undefined {
  try {
    return open()
  } catch (error) {
    if (isNewerRecord(error)) return undefined
    throw error
  }
}
