// Shell completion scripts, generated from the commands and options of the help.
import { EngineError } from '@harvestman/ports'

import type { Command, Option } from './command-line.ts'
import { exitCodes, type Shell } from './shell.ts'

interface Flag {
  readonly names: readonly string[]
  readonly about: string
  readonly takesValue: boolean
  /** Allowed values. If empty, the value is a path if `isPath` is true. */
  readonly choices: readonly string[]
  readonly isPath: boolean
}

interface Known {
  readonly name: string
  readonly about: string
  readonly flags: readonly Flag[]
  /** Allowed values of the command's arguments. */
  readonly words: readonly string[]
}

const shells: Readonly<Record<string, (commands: readonly Known[]) => string>> = { bash, zsh, fish }
export const completionShells = Object.keys(shells)

/** Prints the completion script of a shell. Returns the exit code. Throws `invalid_request` for an unknown shell. */
export function completion(name: string, program: Command, { out }: Shell): number {
  const script = shells[name]
  if (!script) throw new EngineError('invalid_request', `There is completion for ${completionShells.join(', ')}.`)
  out(script(program.commands.map(known)))
  return exitCodes.done
}

function known(command: Command): Known {
  const words = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  return { name: command.name(), about: sentence(command.description()), flags: command.options.map(flag), words }
}

function flag({ short, long, description, required, optional, argChoices = [], flags }: Option): Flag {
  return {
    names: [short, long].filter((name) => name !== undefined),
    about: sentence(description),
    takesValue: required || optional,
    choices: argChoices,
    isPath: /<(file|folder)>/.test(flags),
  }
}

/** Returns the first sentence without characters that are special in a shell. */
function sentence(text: string): string {
  const [first = ''] = text.split(/(?<=\.) |: /)
  return first.replaceAll(/['"`$\\[\]():]/g, '').replace(/\.$/, '')
}

function bash(commands: readonly Known[]): string {
  const cases = commands.map(({ name, flags, words }) => {
    const values = flags
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices, isPath }) => {
        const found = choices.length > 0 ? `-W "${choices.join(' ')}"` : isPath ? '-f' : '-W ""'
        return `      ${names.join('|')}) COMPREPLY=($(compgen ${found} -- "$cur")); return ;;`
      })
    const names = flags.flatMap((one) => one.names).join(' ')
    const other =
      words.length > 0
        ? `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur"))`
        : 'COMPREPLY=($(compgen -f -- "$cur"))'
    return `    ${name})
    case $prev in
${values.join('\n')}
    esac
    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "${names} --help" -- "$cur")); else ${other}; fi ;;`
  })
  return `# harvestman completion for bash. In ~/.bashrc: source <(harvestman completion bash)
_harvestman() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$cur"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
}
complete -o default -F _harvestman harvestman
`
}

function zsh(commands: readonly Known[]): string {
  const cases = commands.map(({ name, flags, words }) => {
    const specs = flags.map(({ names, about, takesValue, choices, isPath }) => {
      const both = names.length > 1 ? `'(${names.join(' ')})'{${names.join(',')}}` : (names[0] ?? '')
      const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : isPath ? ':file:_files' : ':value: '
      return `        ${both}'[${about}]${takesValue ? value : ''}'`
    })
    const rest = words.length > 0 ? `'*:word:(${words.join(' ')})'` : "'*:file:_files'"
    return `      ${name}) _arguments \\\n${[...specs, `        ${rest}`].join(' \\\n')} ;;`
  })
  return `#compdef harvestman
# harvestman completion for zsh. In ~/.zshrc, after compinit: source <(harvestman completion zsh)
_harvestman() {
  local -a commands=(
${commands.map(({ name, about }) => `    '${name}:${about}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
  else
    local command=\${words[2]}
    shift words
    (( CURRENT-- ))
    case $command in
${cases.join('\n')}
    esac
  fi
}
compdef _harvestman harvestman
`
}

function fish(commands: readonly Known[]): string {
  const lines = commands.flatMap(({ name, about, flags, words }) => {
    const within = `-n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c harvestman -n __fish_use_subcommand -f -a ${name} -d '${about}'`,
      ...flags.map(({ names, about: says, takesValue, choices, isPath }) => {
        const spelled = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`))
        const value = !takesValue
          ? ''
          : choices.length > 0
            ? ` -x -a '${choices.join(' ')}'`
            : isPath
              ? ' -r -F'
              : ' -x'
        return `complete -c harvestman ${within} ${spelled.join(' ')}${value} -d '${says}'`
      }),
      ...(words.length > 0 ? [`complete -c harvestman ${within} -f -a '${words.join(' ')}'`] : []),
    ]
  })
  return `# harvestman completion for fish: harvestman completion fish > ~/.config/fish/completions/harvestman.fish
${lines.join('\n')}
`
}
