// Loaded before a recipe: lets its engine visit the site of the test. Nothing else of the recipe is changed.
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.includes('/docs/recipes/') || loaded.source === undefined) return loaded
    const allow = "createEngine({ allowPrivate: ['127.0.0.1/32'],"
    const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
    const source = text.replaceAll('createEngine()', `${allow} })`).replaceAll('createEngine({ ', `${allow} `)
    return { ...loaded, source }
  },
})
