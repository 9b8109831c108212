import type { MarkdownOptions } from '../write-markdown.ts'

/** HTML and its Markdown (one line, or several). The name states what the case shows. */
export interface Case {
  readonly name: string
  readonly html: string
  readonly markdown: string | readonly string[]
  readonly options?: MarkdownOptions
}
