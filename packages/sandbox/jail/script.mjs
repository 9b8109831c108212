// Code that was written for a module, made fit for a console: there, imports are calls.
const staticImport =
  /^[ \t]*import\s+(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)\s*)?(?:\{([^}]*)\}\s*)?from\s*(['"])([^'"\n]+)\4[ \t]*;?/gm
const bareImport = /^[ \t]*import\s*(['"])([^'"\n]+)\1[ \t]*;?/gm
const callImport = /(?<![\w$.'"`])import\s*\(/g

export function toScript(text) {
  return text
    .replace(staticImport, (_all, byDefault, all, named, _quote, from) => {
      const load = `await __import(${JSON.stringify(from)})`
      const parts = [byDefault && `default: ${byDefault}`, named && named.replaceAll(/\s+as\s+/g, ': ')].filter(Boolean)
      if (all && byDefault) return `const ${all} = ${load}; const { default: ${byDefault} } = ${all};`
      return all ? `const ${all} = ${load};` : `const { ${parts.join(', ')} } = ${load};`
    })
    .replace(bareImport, (_all, _quote, from) => `await __import(${JSON.stringify(from)});`)
    .replace(callImport, '__import(')
}
