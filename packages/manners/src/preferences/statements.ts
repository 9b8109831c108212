// Statements of sites about the uses of their pages.

/** Uses of a page. `tdm` is text and data mining, which includes training. */
export const uses = ['search', 'ai-input', 'ai-train', 'tdm'] as const

/** A use of a page. */
export type Use = (typeof uses)[number]

/** Standards by which sites state preferences. */
export const signals = ['content-signal', 'content-usage', 'robots-tag', 'tdm-reservation', 'rsl'] as const

/** A standard by which sites state preferences. */
export type Signal = (typeof signals)[number]

/** A statement of a site about one use of a page. */
export interface Statement {
  readonly use: Use
  readonly allowed: boolean
  readonly signal: Signal
  /** URL of the file, or the header or element of the page. */
  readonly where: string
  /** The statement as the site writes it, shortened. */
  readonly text: string
  /** Set if it applies to images only. */
  readonly of?: 'images'
}

/** Source of a statement. */
export type Source = Pick<Statement, 'where' | 'text'>

const maxText = 200

/** Creates the source of a statement. A long text is shortened. */
export function sourceOf(where: string, text: string): Source {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return { where, text: line.length > maxText ? `${line.slice(0, maxText - 1)}…` : line }
}

/** Uses whose statements decide about each use: a TDM reservation also covers training. */
const deciding: Readonly<Record<Use, readonly Use[]>> = {
  search: ['search'],
  'ai-input': ['ai-input'],
  'ai-train': ['ai-train', 'tdm'],
  tdm: ['tdm'],
}

/**
 * Returns the statements that decide about a use. One about a wider use does not decide if the same source states this use.
 * `isImage` is true if the page is an image.
 */
export function decidingAbout(use: Use, statements: readonly Statement[], isImage: boolean): readonly Statement[] {
  const about = statements.filter((one) => deciding[use].includes(one.use) && (one.of !== 'images' || isImage))
  const isReplaced = ({ signal, where }: Statement): boolean =>
    about.some((own) => own.use === use && own.signal === signal && own.where === where)
  return about.filter((one) => one.use === use || !isReplaced(one))
}

/** Returns the statement that forbids a use: one of several that contradict each other is enough. */
export function forbidding(use: Use, statements: readonly Statement[], isImage: boolean): Statement | undefined {
  return decidingAbout(use, statements, isImage).find(({ allowed }) => !allowed)
}

/** Returns for each use that the site mentions whether it is allowed. */
export function summaryOf(statements: readonly Statement[], isImage: boolean): Partial<Record<Use, boolean>> {
  return Object.fromEntries(
    uses.flatMap((use) => {
      const about = decidingAbout(use, statements, isImage)
      return about.length === 0 ? [] : [[use, about.every(({ allowed }) => allowed)]]
    }),
  )
}
