// Converts formulas of Office (OMML, ECMA-376 part 1, section 22.1) to TeX.
import { at, childOf, childrenOf, textIn, type XmlElement } from '../xml/tree.ts'

/** Converts an Office formula to TeX. Returns an empty string if it has no content. */
export function texOf(math: XmlElement): string {
  return childrenOf(math).map(one).join('').replaceAll(/ {2,}/g, ' ').trim()
}

type Write = (element: XmlElement) => string

const inside = (element: XmlElement, name: string): string => texOf(at(element, name))
const valueOf = (element: XmlElement, ...path: readonly string[]): string | undefined =>
  at(element, ...path).attributes['m:val']

const writers: Readonly<Record<string, Write>> = {
  'm:r': (run) => symbols(textIn({ name: '', attributes: {}, children: childrenOf(run, 'm:t') })),
  'm:f': (fraction) => {
    const [top, bottom] = [inside(fraction, 'm:num'), inside(fraction, 'm:den')]
    return valueOf(fraction, 'm:fPr', 'm:type') === 'lin' ? `${top}/${bottom}` : `\\frac{${top}}{${bottom}}`
  },
  'm:sSup': (script) => `${base(script)}^{${inside(script, 'm:sup')}}`,
  'm:sSub': (script) => `${base(script)}_{${inside(script, 'm:sub')}}`,
  'm:sSubSup': (script) => `${base(script)}_{${inside(script, 'm:sub')}}^{${inside(script, 'm:sup')}}`,
  'm:sPre': (script) => `{}_{${inside(script, 'm:sub')}}^{${inside(script, 'm:sup')}}${base(script)}`,
  'm:rad': (root) => {
    const degree = inside(root, 'm:deg')
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${inside(root, 'm:e')}}`
  },
  'm:nary': (sum) => {
    const [from, to] = [inside(sum, 'm:sub'), inside(sum, 'm:sup')]
    const sign = symbols(valueOf(sum, 'm:naryPr', 'm:chr') ?? '∫').trim()
    return `${sign}${from && `_{${from}}`}${to && `^{${to}}`} ${inside(sum, 'm:e')}`
  },
  'm:d': (fence) => {
    const open = valueOf(fence, 'm:dPr', 'm:begChr') ?? '('
    const end = valueOf(fence, 'm:dPr', 'm:endChr') ?? ')'
    const between = valueOf(fence, 'm:dPr', 'm:sepChr') ?? '|'
    const parts = childrenOf(fence, 'm:e').map(texOf).join(between)
    return `\\left${fenceSign(open)}${parts}\\right${fenceSign(end)}`
  },
  'm:func': (call) => {
    const name = inside(call, 'm:fName')
    return `${functions.has(name) ? `\\${name}` : name} ${inside(call, 'm:e')}`
  },
  'm:limLow': (limit) => `${limitName(inside(limit, 'm:e'))}_{${inside(limit, 'm:lim')}}`,
  'm:limUpp': (limit) => `${limitName(inside(limit, 'm:e'))}^{${inside(limit, 'm:lim')}}`,
  'm:m': (matrix) => {
    const rows = childrenOf(matrix, 'm:mr').map((row) => childrenOf(row, 'm:e').map(texOf).join(' & '))
    return `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`
  },
  'm:eqArr': (lines) => `\\begin{aligned}${childrenOf(lines, 'm:e').map(texOf).join(' \\\\ ')}\\end{aligned}`,
  'm:acc': (accent) => {
    const sign = valueOf(accent, 'm:accPr', 'm:chr') ?? '\u0302'
    return `${accents.get(sign) ?? '\\hat'}{${inside(accent, 'm:e')}}`
  },
  'm:bar': (bar) =>
    `${valueOf(bar, 'm:barPr', 'm:pos') === 'top' ? '\\overline' : '\\underline'}{${inside(bar, 'm:e')}}`,
  'm:groupChr': (group) => `\\underbrace{${inside(group, 'm:e')}}`,
}

function one(element: XmlElement): string {
  const write = writers[element.name]
  if (write && Object.hasOwn(writers, element.name)) return write(element)
  // Properties affect only the appearance; of all other elements the content is used. Text is used unchanged.
  if (element.name.endsWith('Pr')) return ''
  return element.name === 'w:t' ? textIn(element) : texOf(element)
}

function base(script: XmlElement): string {
  const text = inside(script, 'm:e')
  return Array.from(text).length === 1 || /^\\[a-z]+$/i.test(text) ? text : `{${text}}`
}

function fenceSign(sign: string): string {
  if (sign === '') return '.'
  return sign === '{' || sign === '}' ? `\\${sign}` : (fences.get(sign) ?? sign)
}

function limitName(name: string): string {
  return functions.has(name) ? `\\${name}` : name
}

const functions: ReadonlySet<string> = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim max min sup inf det gcd'.split(' '),
)
const fences: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '⟨': '\\langle ',
    '⟩': '\\rangle ',
    '‖': '\\|',
    '⌊': '\\lfloor ',
    '⌋': '\\rfloor ',
    '⌈': '\\lceil ',
    '⌉': '\\rceil ',
  }),
)
const accents: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\u0302': '\\hat',
    '\u0303': '\\tilde',
    '\u0304': '\\bar',
    '\u0305': '\\overline',
    '\u0307': '\\dot',
    '\u0308': '\\ddot',
    '\u20d7': '\\vec',
  }),
)

const names: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi ' +
    'π pi ρ rho σ sigma τ tau υ upsilon φ phi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi ' +
    'Σ Sigma Φ Phi Ψ Psi Ω Omega ∑ sum ∏ prod ∫ int ∬ iint ∮ oint ∞ infty ∂ partial ∇ nabla ± pm × times ÷ div ⋅ cdot ' +
    '≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∈ in ∉ notin ⊂ subset ⊆ subseteq ∪ cup ∩ cap ∀ forall ∃ exists → to ⇒ Rightarrow ' +
    '⇔ Leftrightarrow ← leftarrow … ldots ⋯ cdots ∅ emptyset ∼ sim ∝ propto ∧ wedge ∨ vee ¬ neg √ surd'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, index, all) => {
      if (index % 2 === 0) pairs.push([word, all[index + 1] as string])
      return pairs
    }, []),
)

/** Replaces symbols by their TeX commands, and escapes characters that are special in TeX. */
function symbols(text: string): string {
  return Array.from(text.normalize('NFKC'))
    .map((sign) => {
      if (Object.hasOwn(names, sign)) return `\\${names[sign]} `
      return /[%&#$_{}]/.test(sign) ? `\\${sign}` : sign === '\\' ? '\\backslash ' : sign
    })
    .join('')
}

/** Returns whether the formula is a paragraph of its own and not within a line. */
export function isDisplayed(math: XmlElement): boolean {
  return math.name === 'm:oMathPara'
}

/** Returns the formulas of a formula paragraph (`m:oMathPara`). Any other element is returned itself, as the only entry. */
export function formulasOf(math: XmlElement): XmlElement[] {
  return childOf(math, 'm:oMath') ? childrenOf(math, 'm:oMath') : [math]
}
