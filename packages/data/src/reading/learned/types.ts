// Programs that read the values of a schema from the pages of one template. A program is data: it can be read, edited and
// kept as JSON, and running it runs no code of a page or of a person.

/** A value without parts. */
export type LearnedScalar = string | number | boolean

/** A value of a schema. */
export type LearnedValue =
  | LearnedScalar
  | null
  | readonly LearnedValue[]
  | { readonly [name: string]: LearnedValue | undefined }

/** How the words of an element or attribute become a value. */
export interface Way {
  readonly as: 'text' | 'number' | 'price' | 'date' | 'url'
  /** What stands before the value, and is cut. Without it there is no value. */
  readonly before?: string
  /** What the words end with after the value. */
  readonly after?: string
  /** The value ends where this begins. */
  readonly until?: string
  /** The order of a date in digits. */
  readonly order?: 'dmy' | 'mdy' | 'ymd'
}

/** What an alternative finds its element by. */
export type AlternativeKind = 'meta' | 'attribute' | 'heading' | 'class' | 'id' | 'within' | 'label' | 'near'

/** One way to find a value in a page. */
export interface Alternative extends Way {
  readonly by: AlternativeKind
  /** A CSS selector of the element; with `label` or `next`, of the element that it is counted from. */
  readonly selector?: string
  /** The words of the element that it is counted from, in lower case, without a colon. */
  readonly label?: string
  /** How many texts after the element that it is counted from. */
  readonly next?: number
  /** How many parents above that text. */
  readonly up?: number
  /** The attribute with the value; without one, the words of the element. */
  readonly attribute?: string
  /** `first`: the first of several elements with different values counts. */
  readonly pick?: 'first'
  /** Of a price: no other one stood close to it. Where one does, it is not certain which of them counts. */
  readonly alone?: true
  /** On how many answered pages it gave the value, another value, and none. */
  readonly right: number
  readonly wrong: number
  readonly none: number
  /** On how many answered pages without the value it found nothing, and on how many something. */
  readonly silent?: number
  readonly invented?: number
}

/** What the values of a field have looked like. */
export interface Expected {
  readonly minLength: number
  readonly maxLength: number
  /** Whether all of them have digits (`true`) or none (`false`); absent when some have. */
  readonly digits?: boolean
  readonly maxWords: number
  /** Whether one of them had signs between words, such as a comma. */
  readonly signs: boolean
  /** The most digits that a number had behind its point. */
  readonly decimals: number
  /** As many answered pages had the value. */
  readonly seen: number
  /** As many answered pages did not have it. */
  readonly absent: number
}

/** How one value is read. */
export interface FieldProgram {
  /** A list of values. */
  readonly many?: boolean
  /** Answers said `null` where a page did not have it. */
  readonly isNull?: boolean
  readonly expected: Expected
  /** CSS selectors of elements that held the value when nothing could be learned: where to look, and nothing to believe. */
  readonly hints?: readonly string[]
  readonly alternatives: readonly Alternative[]
}

/** How the objects of a list are read. */
export interface ListProgram {
  /** CSS selectors of the elements that hold an object each; all that match must match the same. */
  readonly rows: readonly string[]
  /** By JSON Pointer into an object. */
  readonly fields: Readonly<Record<string, FieldProgram>>
}

/** Reads the values of a schema from pages of one template. */
export interface Program {
  readonly version: 1
  /** The shape of the addresses of its pages. */
  readonly path: string
  /** What the structure of its pages has in common: hashes, sorted. */
  readonly print: readonly number[]
  /** As many answered pages taught it. */
  readonly pages: number
  /** By JSON Pointer into the value. */
  readonly fields: Readonly<Record<string, FieldProgram>>
  /** By JSON Pointer into the value. */
  readonly lists: Readonly<Record<string, ListProgram>>
}

/** Why a value is believed. */
export interface LearnedEvidence {
  readonly method: 'learned'
  /** The words of the page, at most 300 characters. */
  readonly quote: string
  readonly selector: string
  /** How many alternatives agreed, of how many. */
  readonly agreed: number
  readonly of: number
}

/** Why a field got no value. */
export type DoubtReason = 'not learned' | 'not found' | 'disagreement' | 'unexpected' | 'too little agreement'

/** What a program read from a page. */
export interface LearnedRead {
  readonly value: { readonly [name: string]: LearnedValue | undefined }
  /** By JSON Pointer into `value`. */
  readonly evidence: Readonly<Record<string, LearnedEvidence>>
  /** By JSON Pointer: fields that are left without a value because it is not certain. */
  readonly doubts: Readonly<Record<string, DoubtReason>>
  /** By JSON Pointer of a doubted field: the words around all places where it may stand. Absent when there are none, or many. */
  readonly around: Readonly<Record<string, string>>
  /** JSON Pointers of fields that the page does not have, as some answered pages did not. */
  readonly absent: readonly string[]
  /** How much of the structure of the page is that of the template: 0 to 1. */
  readonly likeness: number
}

/** Bounds of what is learned from one page. */
export const learnedBounds = {
  fields: 100,
  alternatives: 12,
  rows: 1_000,
  text: 400,
  elements: 60_000,
  selector: 300,
} as const
