import { escapeText, escapeValue } from './entities.ts'
import { declarations } from './names.ts'
import type { XmlElement, XmlNode } from './tree.ts'

/** Writes a tree as an XML document in UTF-8 with our prefixes. */
export function writeXml(root: XmlElement): string {
  const out: string[] = ['<?xml version="1.0" encoding="UTF-8"?>']
  writeElement(out, root, declarations())
  return out.join('')
}

function writeElement(out: string[], element: XmlElement, more = ''): void {
  const { name, attributes, children } = element
  out.push('<', name, more)
  for (const key in attributes) {
    if (key === 'xmlns' || key.startsWith('xmlns:')) continue
    out.push(' ', key, '="', escapeValue(attributes[key] as string), '"')
  }
  if (children.length === 0) {
    out.push('/>')
    return
  }
  out.push('>')
  for (const child of children) writeNode(out, child)
  out.push('</', name, '>')
}

function writeNode(out: string[], node: XmlNode): void {
  if (typeof node === 'string') out.push(escapeText(node))
  else writeElement(out, node)
}
