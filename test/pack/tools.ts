// The tools of other people that our packages must work with: compilers, a bundler, other versions of Node.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const { engines } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as {
  readonly engines: { readonly node: string }
}

const oldestRelease = engines.node.replace('>=', '')

/** The oldest Node that our packages name, as they say it. */
export const oldest = oldestRelease.replace(/\.0$/, '')
export const oldNode = '20.19.6'
export const otherNodes = [{ version: oldestRelease }, { version: '26.10.0' }]
export const compilers = [{ version: '5.9.3' }, { version: '6.0.3' }, { version: '7.0.2' }]

/** Programs of ours that a user could have written, and their names in the project. */
export const typedPrograms = {
  'packages/core/test/types/engine.ts': 'types.ts',
  'packages/core/test/types/by-schema.ts': 'by-schema.ts',
  'packages/data/test/answers-types.ts': 'answers.ts',
  'packages/live/test/types.ts': 'live.ts',
  'docs/examples/typed-app.ts': 'typed-app.ts',
  'docs/examples/job-kind/dead-links.ts': 'dead-links.ts',
}

/** Installs a tool into a folder of its own, so that the project has only what a user would have there. */
async function install(project: string, name: string, spec: string): Promise<string> {
  const folder = join(project, '.tools', name)
  if (existsSync(folder)) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save', spec], { cwd: folder })
  return folder
}

export async function installNode(project: string, version: string): Promise<string> {
  const system = `${process.platform.replace('win32', 'win')}-${process.arch}`
  const folder = await install(project, `node-${version}`, `node-${system}@${version}`)
  return join(folder, 'node_modules', `node-${system}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

const cpu = process.arch === 'arm64' ? 'arm64' : 'x64'

/** Other runtimes that the client and the html package run on, as programs of the packages that bring them. */
export const runtimes = [
  {
    name: 'Deno',
    spec: `@deno/linux-${cpu}-glibc@2.9.6`,
    program: `@deno/linux-${cpu}-glibc/deno`,
    options: ['run', '--allow-net', '--allow-read', '--allow-env', '--no-lock'],
  },
  {
    name: 'Bun',
    spec: `@oven/bun-linux-${cpu === 'arm64' ? 'aarch64' : cpu}@1.4.5`,
    program: `@oven/bun-linux-${cpu === 'arm64' ? 'aarch64' : cpu}/bin/bun`,
    options: ['run'],
  },
] as const

/** The runtime of Cloudflare Workers. It is 160 MB, so only a long test installs it. */
export async function installWorkerd(project: string): Promise<string> {
  const name = `@cloudflare/workerd-linux-${cpu === 'x64' ? '64' : cpu}`
  const folder = await install(project, 'workerd', `${name}@1.20261117.1`)
  return join(folder, 'node_modules', name, 'bin/workerd')
}

/** The command of a runtime, and what it wants before the file. */
export async function installRuntime(
  project: string,
  { name, spec, program, options }: (typeof runtimes)[number],
): Promise<readonly [command: string, ...options: string[]]> {
  const folder = await install(project, name.toLowerCase(), spec)
  return [join(folder, 'node_modules', program), ...options]
}

/** What the compiler says of these files, checking the declarations of every package as well; nothing when all is right. */
export async function compile(
  project: string,
  { version }: { readonly version: string },
  files: readonly string[],
): Promise<string> {
  const folder = await install(project, `typescript-${version}`, `typescript@${version}`)
  const types = await install(project, 'types', '@types/node@24.19.2')
  const compiler = join(folder, 'node_modules/typescript/bin/tsc')
  const options = [
    '--noEmit',
    '--strict',
    ...['--target', 'es2023'],
    ...['--module', 'nodenext'],
    ...['--skipLibCheck', 'false'],
    ...['--types', 'node'],
    ...['--typeRoots', join(types, 'node_modules/@types')],
  ]
  try {
    await run(process.execPath, [compiler, ...options, ...files], { cwd: project, maxBuffer: 10_000_000 })
    return ''
  } catch (error) {
    return (error as { readonly stdout?: string }).stdout ?? String(error)
  }
}

/** As docs/quick-start.md says it. */
export function bundle(project: string, from: string, to: string): Promise<void> {
  return runBundler(project, from, to, ['--platform=node', '--external:@harvestman/*'])
}

/** One file with all that it imports, for Node. */
export function bundleIntoOne(project: string, from: string, to: string): Promise<void> {
  return runBundler(project, from, to, ['--platform=node'])
}

/** With all that it imports, for a runtime that is neither Node nor a browser. */
export function bundleWhole(project: string, from: string, to: string): Promise<void> {
  return runBundler(project, from, to, ['--platform=neutral'])
}

async function runBundler(project: string, from: string, to: string, more: readonly string[]): Promise<void> {
  const folder = await install(project, 'esbuild', 'esbuild@0.28.2')
  const options = ['--bundle', '--format=esm', `--outfile=${to}`, ...more]
  await run(join(folder, 'node_modules/.bin/esbuild'), [from, ...options], { cwd: project })
}
