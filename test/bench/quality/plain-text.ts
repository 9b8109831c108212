// Markdown to the words a reader sees, so that extractors that answer in Markdown and in text are scored alike:
// images and comments go, links leave their text, marks of headings, quotes, lists, tables and emphasis go, code stays.

const fence = /^\s{0,12}(`{3,}|~{3,})/

export function plainText(markdown: string): string {
  const parts: string[] = []
  let prose: string[] = []
  let open = ''
  const close = (): void => {
    parts.push(plainProse(prose.join('\n')))
    prose = []
  }
  for (const line of markdown.replace(/<!--[^]*?-->/g, '').split('\n')) {
    const mark = fence.exec(line)?.[1]
    if (mark && (!open || (mark.startsWith(open) && line.trim() === mark))) {
      if (!open) close()
      open = open ? '' : mark
    } else if (open) parts.push(line)
    else prose.push(line)
  }
  close()
  return parts.join('\n')
}

const target = String.raw`\((?:<[^>\n]*>|(?:[^()\s\\]|\\.|\((?:[^()\\]|\\.)*\))*)(?:\s+(?:"(?:[^"\\]|\\.)*"|'[^']*'))?\)`
const label = String.raw`\[((?:[^\[\]\\]|\\[^]|\[(?:[^\[\]\\]|\\[^])*\])*)\]`
const image = new RegExp(`!${label}${target}`, 'g')
const link = new RegExp(`${label}${target}`, 'g')

/** Links first: their text may run over lines. */
function plainProse(prose: string): string {
  const linked = prose.replace(image, ' ').replace(link, '$1').replace(/\\\n/g, '\n')
  return linked.split('\n').map(plainLine).join('\n')
}

const rule = /^[\s>*+-]*(?:_\s*){3,}$|^[\s|:*-]*[-*][\s|:*-]*$/

const codeSpan = /(?<!\\)(`+)(?!`)(.*?[^`])\1(?!`)/g

/** What stands in code spans stays as it is. */
function plainLine(line: string): string {
  if (rule.test(line)) return ''
  const codes: string[] = []
  const marked = line.replace(codeSpan, (_, __, code: string) => `\u0001${codes.push(code) - 1}\u0002`)
  return plainMarks(marked).replace(/\u0001(\d+)\u0002/g, (_, place: string) => codes[Number(place)] ?? '')
}

function plainMarks(line: string): string {
  return line
    .replace(/^(?:\s*(?:>|[-*+]|\d+[.)])\s)+/, ' ')
    .replace(/^\s{0,3}#{1,6}\s+/, '')
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, '$1')
    .replace(/<\/?[a-z][^<>\n]{0,200}>/gi, ' ')
    .replace(/(?<!\\)(?:\*\*|__|~~|`+|\*)/g, '')
    .replace(/(?<![\p{L}\p{N}\\])_(?=\S)|(?<=\S)(?<!\\)_(?![\p{L}\p{N}])/gu, '')
    .replace(/(?<!\\)\|/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
