// Bundles the code that packages run inside pages. Each function that `packages/<name>/page/index.ts` exports becomes a string in
// `packages/<name>/src/page-scripts.ts`: an expression whose value is the function, with everything that it needs. The strings are
// committed, so that neither sources nor packages depend on how a function prints itself: bundlers, minifiers and coverage tools change that.
// `node scripts/page-scripts.ts` writes them; a test checks that they are up to date.
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { rolldown, type Plugin } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const width = 120

/** A generated file, relative to the root of the repository. */
export interface GeneratedFile {
  readonly file: string
  readonly text: string
}

/** Returns the generated file of each package that has code for pages. */
export async function generatePageScripts(): Promise<GeneratedFile[]> {
  const folders = globSync('packages/*/page/index.ts', { cwd: root }).map((file) => join(file, '../..'))
  return Promise.all(folders.toSorted().map(generate))
}

async function generate(folder: string): Promise<GeneratedFile> {
  const index = join(root, folder, 'page/index.ts')
  const names = await exportsOf(index)
  const scripts = await Promise.all(names.map(async (name) => declaration(name, await bundle(index, name))))
  const head = `// Generated from ${folder}/page by \`node scripts/page-scripts.ts\`. Do not edit.\n`
  return { file: `${folder}/src/page-scripts.ts`, text: head + scripts.join('') }
}

async function exportsOf(index: string): Promise<readonly string[]> {
  const bundled = await rolldown({ input: index, platform: 'browser' })
  const { output } = await bundled.generate()
  await bundled.close()
  return output[0].exports.toSorted()
}

/** Bundles one export. Whitespace is removed and nothing else is changed: the page runs the code as it was written. */
async function bundle(index: string, name: string): Promise<string> {
  const bundled = await rolldown({ input: entry, platform: 'browser', plugins: [entryOf(index, name)] })
  const { output } = await bundled.generate({
    format: 'iife',
    name: 'script',
    exports: 'default',
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  await bundled.close()
  const script = /^var script=(.*);\n?$/s.exec(output[0].code)?.[1]
  if (script === undefined || output.length > 1) throw new Error(`${name} of ${index} is not one script.`)
  return script
}

const entry = '\0page-script.ts'

function entryOf(index: string, name: string): Plugin {
  return {
    name: 'page-script',
    resolveId: (id) => (id === entry ? id : null),
    load: (id) => (id === entry ? `export { ${name} as default } from ${JSON.stringify(index)}` : null),
  }
}

/** Prints a constant as the formatter does. */
function declaration(name: string, value: string): string {
  const count = (sign: string): number => value.split(sign).length - 1
  const quote = count("'") > count('"') ? '"' : "'"
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll(quote, `\\${quote}`)
  const line = `export const ${name} = ${quote}${escaped}${quote}`
  return `\n${line.length <= width ? line : line.replace(' = ', ' =\n  ')}\n`
}

async function main(): Promise<void> {
  for (const { file, text } of await generatePageScripts()) writeFileSync(join(root, file), text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
