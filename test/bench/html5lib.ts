import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Element, Node } from '../../packages/html/src/tree/tree.ts'

export interface TreeTest {
  readonly file: string
  readonly html: string
  readonly expected: string
}

/** Document tests of html5lib, without those for scripts that run and for fragments. */
export function readTreeTests(folder: string): TreeTest[] {
  const tests: TreeTest[] = []
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.dat')) continue
    for (const block of `\n${readFileSync(join(folder, file), 'utf8')}`.split('\n#data\n').slice(1)) {
      if (block.includes('\n#document-fragment\n') || block.includes('\n#script-on\n')) continue
      const [head, tree] = block.split('\n#document\n')
      if (tree === undefined) continue
      tests.push({ file, html: head!.split(/(?:^|\n)#errors(?:\n|$)/)[0]!, expected: normaliseExpected(tree) })
    }
  }
  return tests
}

// Not compared: doctype, comments, white space outside the body, upper case in svg names, the fragment inside a template.
function normaliseExpected(tree: string): string {
  const lines: { depth: number; text: string }[] = []
  for (const line of tree.replace(/\n+$/, '').split('\n')) {
    const found = /^\| ( *)(.*)$/s.exec(line)
    if (found) lines.push({ depth: found[1]!.length / 2, text: found[2]! })
    else if (lines.length > 0) lines[lines.length - 1]!.text += `\n${line}`
  }
  const kept: string[] = []
  const templates: number[] = []
  let comment = false
  for (const { depth, text } of lines) {
    while (templates.length > 0 && depth <= templates.at(-1)!) templates.pop()
    comment = text.startsWith('<!')
    if (comment) continue
    if (text === 'content') {
      templates.push(depth)
      continue
    }
    kept.push(
      printLine(
        depth - templates.length,
        text.replace(/^<(?:svg|math) (.*)>$/s, (_, name) => `<${name.toLowerCase()}>`),
      ),
    )
  }
  return sortAttributes(mergeTexts(kept))
}

function printLine(depth: number, text: string): string {
  return `${' '.repeat(depth)}${text}`
}

/** Our tree in the same notation. */
export function printTree(root: Element): string {
  const lines: string[] = []
  const walk = (node: Node, depth: number): void => {
    if (node.type === 'text') lines.push(printLine(depth, `"${node.text}"`))
    else if (node.name === '#fragment') {
      for (let child = node.first; child; child = child.next) walk(child, depth)
    } else {
      lines.push(printLine(depth, `<${node.name}>`))
      for (const [name, value] of Object.entries(node.attributes))
        lines.push(printLine(depth + 1, `${name}="${value}"`))
      for (let child = node.first; child; child = child.next) walk(child, depth + 1)
    }
  }
  for (let child = root.first; child; child = child.next) walk(child, 0)
  return sortAttributes(mergeTexts(lines))
}

// Comments between two texts are gone, so the texts are one.
function mergeTexts(lines: readonly string[]): string[] {
  const merged: string[] = []
  for (const line of lines) {
    const before = merged.at(-1)
    const indent = /^ */.exec(line)![0]
    if (/^ {1,2}"\s*"$/.test(line) && !line.startsWith('   ') && isSkeletonText(line, merged)) continue
    if (before !== undefined && line.startsWith(`${indent}"`) && before.startsWith(`${indent}"`)) {
      merged[merged.length - 1] = before.slice(0, -1) + line.slice(indent.length + 1)
    } else merged.push(line)
  }
  return merged
}

function isSkeletonText(line: string, before: readonly string[]): boolean {
  const depth = /^ */.exec(line)![0].length
  if (depth === 1) return true
  const parent = before.findLast((other) => /^ */.exec(other)![0].length === depth - 1)
  return parent?.trim() === '<head>'
}

function sortAttributes(lines: readonly string[]): string {
  const sorted: string[] = []
  let run: string[] = []
  const flush = (): void => {
    sorted.push(...run.toSorted())
    run = []
  }
  for (const line of lines) {
    if (/^ *[^\s"<=][^\s"=]*(?: [^\s"<=]+)?="/.test(line))
      run.push(line.replace(/^( *)(xlink|xml|xmlns) (\S+=)/, '$1$2:$3').toLowerCase())
    else {
      flush()
      sorted.push(line)
    }
  }
  flush()
  return sorted.join('\n')
}
