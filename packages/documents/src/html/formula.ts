import { escapeText } from '../xml/entities.ts'

/** Returns a formula as MathML with a TeX annotation, as web pages have it. `tex` is not escaped. Empty for an empty formula. */
export function formulaHtml(tex: string, isBlock: boolean): string {
  return tex === '' ? '' : escapedFormula(escapeText(tex), isBlock)
}

/** Returns a formula as MathML with a TeX annotation. `tex` must be escaped already, unlike that of `formulaHtml`. */
export function escapedFormula(tex: string, isBlock: boolean): string {
  const display = isBlock ? ' display="block"' : ''
  return `<math${display}><semantics><mtext></mtext><annotation encoding="application/x-tex">${tex}</annotation></semantics></math>`
}
