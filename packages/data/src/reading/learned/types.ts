// Learned extractors (`Program`), which read the values of a schema from pages of one template. They are JSON that users can
// inspect and edit, and running one executes no code from pages or users. They are learned from known pages: pages whose values
// were given by a model, a person or an example.

/** A single value. */
export type LearnedScalar = string | number | boolean

/** A value of a schema. */
export type LearnedValue =
  | LearnedScalar
  | null
  | readonly LearnedValue[]
  | { readonly [name: string]: LearnedValue | undefined }

/** How a string from an element or attribute is converted to a value. */
export interface Way {
  readonly as: 'text' | 'number' | 'price' | 'date' | 'url'
  /** Required prefix, which is removed. Without it there is no value. */
  readonly before?: string
  /** Required suffix, which is removed. */
  readonly after?: string
  /** The value ends before the first occurrence of this string. */
  readonly until?: string
  /** Order of the parts in a numeric date. */
  readonly order?: 'dmy' | 'mdy' | 'ymd'
}

/** How an alternative finds its element. */
export type AlternativeKind = 'meta' | 'attribute' | 'heading' | 'class' | 'id' | 'within' | 'label' | 'near'

/** One way to find a value on a page. */
export interface Alternative extends Way {
  readonly by: AlternativeKind
  /** CSS selector of the element. With `next`, selector of the element to count from. */
  readonly selector?: string
  /** Text of the element to count from, in lower case, without a colon. */
  readonly label?: string
  /** Offset from that element, in text nodes. */
  readonly next?: number
  /** Number of parents above that text node. */
  readonly up?: number
  /** Attribute with the value. Default: the element's text. */
  readonly attribute?: string
  /** `first`: use the first element if several have different values. */
  readonly pick?: 'first'
  /** Prices only: there must be no other price nearby. If there is one, the result is ambiguous. */
  readonly alone?: true
  /** Number of known pages where it found the right value, a wrong value, or nothing. */
  readonly right: number
  readonly wrong: number
  readonly none: number
  /** Number of known pages without the value where it found nothing, or something. */
  readonly silent?: number
  readonly invented?: number
}

/** What values of a field look like. */
export interface Expected {
  readonly minLength: number
  readonly maxLength: number
  /** Whether all values have digits (`true`) or none (`false`); absent if mixed. */
  readonly digits?: boolean
  readonly maxWords: number
  /** Whether any value had punctuation such as commas. */
  readonly signs: boolean
  /** Maximum number of decimal places. */
  readonly decimals: number
  /** Number of known pages with the value. */
  readonly seen: number
  /** Number of known pages without the value. */
  readonly absent: number
}

/** How one field is read. */
export interface FieldProgram {
  /** Whether the field is a list of values. */
  readonly many?: boolean
  /** Whether known pages had an explicit `null` for a missing value. */
  readonly isNull?: boolean
  readonly expected: Expected
  /**
   * CSS selectors of elements that contained the value but are too unspecific to be trusted. They only narrow down where to
   * search.
   */
  readonly hints?: readonly string[]
  readonly alternatives: readonly Alternative[]
}

/** How a list of objects is read. */
export interface ListProgram {
  /** CSS selectors of the row elements. All that match must match the same elements. */
  readonly rows: readonly string[]
  /** By JSON Pointer into an object. */
  readonly fields: Readonly<Record<string, FieldProgram>>
}

/** Reads the values of a schema from pages of one template. */
export interface Program {
  readonly version: 1
  /** Shape of the URLs of its pages. */
  readonly path: string
  /** Structural fingerprint of its pages: sorted hashes. */
  readonly print: readonly number[]
  /** Number of pages it was learned from. */
  readonly pages: number
  /** By JSON Pointer into the value. */
  readonly fields: Readonly<Record<string, FieldProgram>>
  /** By JSON Pointer into the value. */
  readonly lists: Readonly<Record<string, ListProgram>>
}

/** Evidence for a value. */
export interface LearnedEvidence {
  readonly method: 'learned'
  /** Text of the page, at most 300 characters. */
  readonly quote: string
  readonly selector: string
  /** Number of alternatives that agreed, and of all alternatives. */
  readonly agreed: number
  readonly of: number
}

/** Why a field has no value. */
export type DoubtReason = 'not learned' | 'not found' | 'disagreement' | 'unexpected' | 'too little agreement'

/** The result of running an extractor on a page. */
export interface LearnedRead {
  readonly value: { readonly [name: string]: LearnedValue | undefined }
  /** By JSON Pointer into `value`. */
  readonly evidence: Readonly<Record<string, LearnedEvidence>>
  /** Fields that are omitted as uncertain, by JSON Pointer. */
  readonly doubts: Readonly<Record<string, DoubtReason>>
  /**
   * Page text around the possible locations of a doubtful field, by JSON Pointer. Absent if there are none or it is too long.
   */
  readonly around: Readonly<Record<string, string>>
  /** JSON Pointers of fields that the page does not have. Some known pages lacked them too. */
  readonly absent: readonly string[]
  /** Similarity of the page to the template, from 0 to 1. */
  readonly likeness: number
}

/** Limits for learning from one page. */
export const learnedBounds = {
  fields: 100,
  alternatives: 12,
  rows: 1_000,
  text: 400,
  elements: 60_000,
  selector: 300,
} as const
