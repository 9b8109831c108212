import type { MarkdownOptions } from '../write-markdown.ts'

/** HTML and the expected Markdown (one line, or several). The name describes the case. */
export interface Case {
  readonly name: string
  readonly html: string
  readonly markdown: string | readonly string[]
  readonly options?: MarkdownOptions
}
