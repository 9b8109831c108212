import { readFileSync } from 'node:fs'

export interface SpecExample {
  readonly number: number
  readonly section: string
  readonly html: string
}

const fence = '`'.repeat(32)

/** The examples of a CommonMark or GFM specification: fenced blocks of Markdown, a line with a dot, HTML. */
export function readSpec(file: string): readonly SpecExample[] {
  const examples: SpecExample[] = []
  let section = ''
  let number = 0
  let html: string[] | undefined
  let isOpen = false
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!isOpen && line.startsWith(`${fence} example`)) {
      isOpen = true
      number++
    } else if (isOpen && line === fence) {
      examples.push({ number, section, html: (html ?? []).join('\n').replaceAll('→', '\t') })
      html = undefined
      isOpen = false
    } else if (isOpen && html) html.push(line)
    else if (isOpen && line === '.') html = []
    else if (!isOpen && /^#+ /.test(line)) section = line.replace(/^#+ /, '')
  }
  return examples
}

/** Raw HTML stands for itself and has no Markdown to be read back into; nothing at all says nothing. */
export function isReversible({ section, html }: SpecExample): boolean {
  return !/HTML/.test(section) && html.trim() !== ''
}
