import { escapeText } from '../xml/entities.ts'

/** Returns a formula as MathML with a TeX annotation, as web pages have it. */
export function formulaHtml(tex: string, isBlock: boolean): string {
  return tex === '' ? '' : escapedFormula(escapeText(tex), isBlock)
}

/** Like `formulaHtml`, but expects escaped TeX. */
export function escapedFormula(tex: string, isBlock: boolean): string {
  const display = isBlock ? ' display="block"' : ''
  return `<math${display}><semantics><mtext></mtext><annotation encoding="application/x-tex">${tex}</annotation></semantics></math>`
}
