import type { MarkdownOptions } from '../write-markdown.ts'

/** HTML and what it is in Markdown: one line, or several. The name says what is shown. */
export interface Case {
  readonly name: string
  readonly html: string
  readonly markdown: string | readonly string[]
  readonly options?: MarkdownOptions
}
