import type { Element, Node } from '../tree/tree.ts'

// Converts MathML without a TeX annotation to TeX. Unknown elements are written as their content.

const deepest = 100

/** Converts MathML to TeX. Returns an empty string if it has no content. */
export function texOf(math: Element): string {
  return row(math, 0).trim()
}

function row(element: Element, depth: number): string {
  const parts: string[] = []
  for (let child = element.first; child; child = child.next) {
    if (child.type === 'element' && depth < deepest) parts.push(one(child, depth + 1))
  }
  return joined(parts)
}

/** Puts a space between a command such as `\alpha` and a letter after it. */
function joined(parts: readonly string[]): string {
  let text = ''
  for (const part of parts) {
    if (part === '') continue
    text += /\\[a-zA-Z]+$/.test(text.slice(-20)) && /^[a-zA-Z]/.test(part) ? ` ${part}` : part
  }
  return text
}

function one(element: Element, depth: number): string {
  const write = writers.get(element.name)
  return write ? write(element, depth) : row(element, depth)
}

type Writer = (element: Element, depth: number) => string

const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '−': '-',
    '×': '\\times',
    '·': '\\cdot',
    '⋅': '\\cdot',
    '÷': '\\div',
    '±': '\\pm',
    '∓': '\\mp',
    '≤': '\\leq',
    '≥': '\\geq',
    '≠': '\\neq',
    '≈': '\\approx',
    '≡': '\\equiv',
    '∼': '\\sim',
    '∝': '\\propto',
    '∞': '\\infty',
    '∂': '\\partial',
    '∇': '\\nabla',
    '∑': '\\sum',
    '∏': '\\prod',
    '∫': '\\int',
    '∮': '\\oint',
    '√': '\\sqrt{}',
    '∈': '\\in',
    '∉': '\\notin',
    '⊂': '\\subset',
    '⊆': '\\subseteq',
    '∪': '\\cup',
    '∩': '\\cap',
    '∅': '\\emptyset',
    '∀': '\\forall',
    '∃': '\\exists',
    '¬': '\\neg',
    '∧': '\\wedge',
    '∨': '\\vee',
    '→': '\\to',
    '←': '\\leftarrow',
    '⇒': '\\Rightarrow',
    '⇔': '\\Leftrightarrow',
    '↔': '\\leftrightarrow',
    '↦': '\\mapsto',
    '…': '\\ldots',
    '⋯': '\\cdots',
    '⟨': '\\langle',
    '⟩': '\\rangle',
    '∥': '\\parallel',
    '⊥': '\\perp',
    '∘': '\\circ',
    '⊗': '\\otimes',
    '⊕': '\\oplus',
    '†': '\\dagger',
    '′': "'",
    ℏ: '\\hbar',
    ℓ: '\\ell',
    ℝ: '\\mathbb{R}',
    ℕ: '\\mathbb{N}',
    ℤ: '\\mathbb{Z}',
    ℚ: '\\mathbb{Q}',
    ℂ: '\\mathbb{C}',
    α: '\\alpha',
    β: '\\beta',
    γ: '\\gamma',
    δ: '\\delta',
    ε: '\\varepsilon',
    ϵ: '\\epsilon',
    ζ: '\\zeta',
    η: '\\eta',
    θ: '\\theta',
    ι: '\\iota',
    κ: '\\kappa',
    λ: '\\lambda',
    μ: '\\mu',
    ν: '\\nu',
    ξ: '\\xi',
    π: '\\pi',
    ρ: '\\rho',
    σ: '\\sigma',
    τ: '\\tau',
    υ: '\\upsilon',
    φ: '\\varphi',
    ϕ: '\\phi',
    χ: '\\chi',
    ψ: '\\psi',
    ω: '\\omega',
    Γ: '\\Gamma',
    Δ: '\\Delta',
    Θ: '\\Theta',
    Λ: '\\Lambda',
    Ξ: '\\Xi',
    Π: '\\Pi',
    Σ: '\\Sigma',
    Φ: '\\Phi',
    Ψ: '\\Psi',
    Ω: '\\Omega',
    '{': '\\{',
    '}': '\\}',
    '%': '\\%',
    '#': '\\#',
    '&': '\\&',
    '\u2061': '',
    '\u2062': '',
    '\u2063': '',
    '\u2064': '',
    '\u200b': '',
  }),
)

const functions: ReadonlySet<string> = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min sec sin sinh sup tan tanh'.split(
    ' ',
  ),
)

const accents: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '^': '\\hat',
    ˆ: '\\hat',
    '¯': '\\bar',
    '-': '\\bar',
    '‾': '\\overline',
    '˙': '\\dot',
    '¨': '\\ddot',
    '~': '\\tilde',
    '˜': '\\tilde',
    '\\to': '\\vec',
    '⃗': '\\vec',
    '⏞': '\\overbrace',
  }),
)

function textIn(element: Element): string {
  let text = ''
  for (let child: Node | null = element.first; child; child = child.next) if (child.type === 'text') text += child.text
  return text.replace(/\s+/g, ' ')
}

function words(element: Element): string {
  return textIn(element).trim()
}

function signs(element: Element): string {
  return joined(Array.from(words(element), (sign) => symbols.get(sign) ?? sign))
}

const identifier: Writer = (element) => {
  const text = words(element)
  if (functions.has(text)) return `\\${text} `
  return text.length > 1 && /^\p{L}+$/u.test(text) ? `\\mathrm{${text}}` : signs(element)
}

const writeText: Writer = (element) => {
  const text = textIn(element)
  return text.trim() === ''
    ? ''
    : `\\text{${text.replace(/[{}\\%#&$]/g, (sign) => (sign === '\\' ? '\\backslash ' : `\\${sign}`))}}`
}

/** Returns the nth child element as TeX, or an empty string. */
function part(element: Element, place: number, depth: number): string {
  let at = 0
  for (let child = element.first; child; child = child.next) {
    if (child.type === 'element' && at++ === place) return depth < deepest ? one(child, depth + 1) : ''
  }
  return ''
}

function group(tex: string): string {
  return tex.length === 1 || /^\\[a-zA-Z]+$/.test(tex) ? tex : `{${tex}}`
}

const scripts =
  (below: number, above: number): Writer =>
  (element, depth) => {
    const base = part(element, 0, depth)
    const lower = below > 0 ? part(element, below, depth) : ''
    const upper = above > 0 ? part(element, above, depth) : ''
    const accent = above === 1 && below === 0 && element.name === 'mover' ? accents.get(upper) : undefined
    if (accent) return `${accent}{${base}}`
    const scripted = (base.length > 1 && !base.startsWith('\\') ? `{${base}}` : base).trimEnd()
    return (
      scripted +
      (lower === '' ? '' : `_${group(lower)}`) +
      (upper === '' ? '' : upper === "'" ? "'" : `^${group(upper)}`)
    )
  }

const table: Writer = (element, depth) => {
  const rows: string[] = []
  for (let line = element.first; line; line = line.next) {
    if (line.type !== 'element') continue
    const cells: string[] = []
    for (let cell = line.first; cell; cell = cell.next) if (cell.type === 'element') cells.push(row(cell, depth + 1))
    rows.push(cells.join(' & '))
  }
  return `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`
}

const writers: ReadonlyMap<string, Writer> = new Map(
  Object.entries<Writer>({
    mi: identifier,
    mn: signs,
    mo: signs,
    mtext: writeText,
    ms: writeText,
    mspace: () => ' ',
    mphantom: () => '',
    annotation: () => '',
    'annotation-xml': () => '',
    msup: scripts(0, 1),
    msub: scripts(1, 0),
    msubsup: scripts(1, 2),
    mover: scripts(0, 1),
    munder: scripts(1, 0),
    munderover: scripts(1, 2),
    mfrac: (element, depth) => `\\frac{${part(element, 0, depth)}}{${part(element, 1, depth)}}`,
    msqrt: (element, depth) => `\\sqrt{${row(element, depth)}}`,
    mroot: (element, depth) => `\\sqrt[${part(element, 1, depth)}]{${part(element, 0, depth)}}`,
    mfenced: (element, depth) =>
      `${element.attributes.open ?? '('}${fenced(element, depth)}${element.attributes.close ?? ')'}`,
    mtable: table,
  }),
)

function fenced(element: Element, depth: number): string {
  const parts: string[] = []
  for (let child = element.first; child; child = child.next)
    if (child.type === 'element') parts.push(one(child, depth + 1))
  return parts.join(', ')
}
