import { escapeText } from '../xml/entities.ts'

/** A formula in the shape that pages have, from TeX. */
export function formulaHtml(tex: string, isBlock: boolean): string {
  return tex === '' ? '' : escapedFormula(escapeText(tex), isBlock)
}

/** The same from TeX that is escaped already. */
export function escapedFormula(tex: string, isBlock: boolean): string {
  const display = isBlock ? ' display="block"' : ''
  return `<math${display}><semantics><mtext></mtext><annotation encoding="application/x-tex">${tex}</annotation></semantics></math>`
}
