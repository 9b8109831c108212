// `create-harvestman [folder] [--template name]`: reads the arguments, prompts for missing ones and prints the next steps.
import { parseArgs } from 'node:util'

import { createProject, ownVersion, UsageError } from './create.ts'
import { findTemplate, templates, type Template } from './templates.ts'

/** The terminal that the command runs in. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Prompts the user and returns the reply. Absent if the terminal is not interactive. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** The package manager that runs the command: `npm`, `pnpm`, `yarn` or `bun`. */
  readonly manager: string
}

const defaultFolder = 'my-harvestman'
const list = templates.map(({ name, description }) => `  ${name.padEnd(9)}${description}`).join('\n')
const help = `Creates a Harvestman project.

  npm create harvestman
  npm create harvestman -- --template hono my-server

Options:
  -t, --template <name>  the template
  -h, --help             shows this text
  -v, --version          shows the version

Templates:
${list}
`

/**
 * Runs the command. Returns its exit code: 0, or 2 after an error that the user can fix, such as an invalid argument or a
 * folder that is not empty. Rejects if the files cannot be written.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await create(args, terminal)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.err(`${error.message}\n`)
    return 2
  }
}

async function create(args: readonly string[], terminal: Terminal): Promise<void> {
  const { help: wantsHelp, version, template: name, folder: given } = read(args)
  if (wantsHelp) return terminal.out(help)
  if (version) return terminal.out(`${ownVersion()}\n`)
  const template = name === undefined ? await askTemplate(terminal) : known(name)
  const folder = given ?? (await askFolder(terminal))
  createProject({ template, folder })
  terminal.out(nextSteps(template, folder, terminal.manager))
}

function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: 'string', short: 't' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
    if (positionals.length > 1) throw new UsageError(`Name one folder, not ${positionals.length}.`)
    return { ...values, folder: positionals[0] }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`The options cannot be read. ${help}`, { cause: error })
  }
}

function known(name: string): Template {
  const template = findTemplate(name)
  if (template) return template
  throw new UsageError(`The template "${name}" does not exist. Choose one of these:\n${list}`)
}

async function askTemplate({ ask, out }: Terminal): Promise<Template> {
  if (!ask) throw new UsageError(`Choose a template with --template:\n${list}`)
  out(`${templates.map(({ description }, index) => `  ${index + 1}  ${description}`).join('\n')}\n`)
  for (;;) {
    const answer = (await ask('Template (1): ')).trim() || '1'
    const template = templates[Number(answer) - 1] ?? findTemplate(answer)
    if (template) return template
    out(`Type a number from 1 to ${templates.length}.\n`)
  }
}

async function askFolder({ ask }: Terminal): Promise<string> {
  if (!ask) throw new UsageError('Name the folder of the project: --template script my-project')
  return (await ask(`Folder (${defaultFolder}): `)).trim() || defaultFolder
}

function nextSteps({ next }: Template, folder: string, manager: string): string {
  const enter = folder === '.' ? [] : [`cd ${/^[\w./~-]+$/.test(folder) ? folder : JSON.stringify(folder)}`]
  const steps = [...enter, 'npm install', ...next].map((step) => `  ${step.replace(/^npm/, manager)}\n`)
  return `Created the project. Next:\n\n${steps.join('')}`
}
