// Builds every package to its `dist`: declarations of all in one pass, for packages see each other's sources, then bundles.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildPage } from '../packages/web/src/build.ts'
import { bundle } from './bundles.ts'
import { buildSite, siteFolder } from './docs-site.ts'
import { addSentences } from './option-sentences.ts'
import { privateLeft, publishedFolders, writeDeclarations } from './private-packages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const declared = join(root, 'node_modules/.build')

rmSync(declared, { recursive: true, force: true })
// That they are right is what scripts/check.ts says of the same sources; to write them takes half of the time without it.
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'scripts/tsconfig.build.json'), '--noCheck'],
  {
    stdio: 'inherit',
  },
)
addSentences(root, declared)
for (const built of globSync('packages/*/dist', { cwd: root })) rmSync(join(root, built), { recursive: true })
for (const published of publishedFolders) {
  const folder = join(root, published)
  const dist = join(folder, 'dist')
  writeDeclarations(published, dist, declared)
  await bundle(folder)
  const left = privateLeft(dist)
  if (left.length > 0) throw new Error(`What is published of ${published} names private packages: ${left.join(', ')}.`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const command = join(folder, 'dist/main.js')
  if (existsSync(command)) chmodSync(command, 0o755)
}

await buildPage()

// The command carries the documentation of its version; who has built the site already names its folder.
const [site = siteFolder] = process.argv.slice(2)
if (site === siteFolder) buildSite()
cpSync(site, join(root, 'packages/cli/dist/docs'), { recursive: true })
