import type { Element } from '../tree/tree.ts'

// Detects the language of a code block from the markup of highlighters and site generators.

const attributeNames = [
  'data-lang',
  'data-language',
  'data-code-language',
  'data-enlighter-language',
  'data-pbcklang',
] as const

/** Class names that are a language by themselves: `<code class="python">`, `hljs rust`. */
const known: ReadonlySet<string> = new Set(
  `actionscript ada apache applescript arduino asm asp awk bash basic bat batch c c# c++ clojure cmake cobol coffee
  coffeescript conf cpp crystal cs csharp css csv cuda cxx cython d dart delphi diff dockerfile dos elixir elm erb erlang
  fortran fsharp gherkin glsl go golang gradle graphql groovy haml handlebars haskell haxe hcl hs html http ini java
  javascript jinja js json json5 jsonc jsx julia kotlin latex less lisp lua makefile markdown matlab md mysql nasm nginx
  nim nix objc objective-c objectivec ocaml pascal patch perl pgsql php plsql postgresql powershell prolog properties
  protobuf ps1 pug puppet py python r rb reason rest rs rst ruby rust sas sass scala scheme scss sh shell
  shell-session smalltalk solidity sparql sql stylus svelte swift tcl terraform tex toml ts tsx twig typescript vb vbnet
  verilog vhdl vim vue wasm xml xquery yaml yml zig zsh`.split(/\s+/),
)

const none: ReadonlySet<string> = new Set([
  'none',
  'nohighlight',
  'no-highlight',
  'auto',
  'default',
  'undefined',
  'null',
])

const prefixed = /^(?:language|lang|highlight-source|highlight-text|shj-lang|src)-(.+)$/i
const named = /(?:^|[\s;])(?:brush|lang|language)\s*:\s*([^\s;]+)/i

/** Returns the language of a code block, or an empty string. Checks the code, the block and up to three wrappers. */
export function languageOf(block: Element, code: Element | undefined): string {
  const own = (code && languageIn(code)) ?? languageIn(block)
  if (own !== undefined) return own
  let around = block.parent
  for (
    let i = 0;
    i < 3 && around && (around.name === 'div' || around.name === 'figure' || around.name === 'span');
    i++
  ) {
    const found = languageIn(around)
    if (found !== undefined) return found
    around = around.parent
  }
  return ''
}

function languageIn(element: Element): string | undefined {
  const { attributes } = element
  for (const name of attributeNames) {
    const value = attributes[name]
    if (value) return written(value)
  }
  const { lang } = attributes
  if (lang && element.name === 'pre' && known.has(lang.toLowerCase())) return lang
  return attributes.class ? languageAmong(attributes.class) : undefined
}

function languageAmong(classes: string): string | undefined {
  const brush = named.exec(classes)?.[1]
  if (brush) return written(brush)
  const names = classes.split(/\s+/)
  for (const name of names) {
    const language = prefixed.exec(name)?.[1]
    if (language) return written(language)
  }
  for (const name of names) if (known.has(name.toLowerCase())) return name
  for (const name of names) {
    const language = /^highlight-(.+)$/.exec(name)?.[1]
    if (language && known.has(language)) return language
  }
  return undefined
}

/** Removes characters that would end the line or the fence. */
function written(language: string): string {
  const word = language.trim().replace(/[\s`~].*$/s, '')
  return none.has(word.toLowerCase()) || word.length > 40 ? '' : word
}
