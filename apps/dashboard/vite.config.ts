import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noJsonSchema } from './no-json-schema.ts'
import { pageHints } from './page-hints.ts'

const SHARED = 'shared~'

export default defineConfig({
  plugins: [react({ compiler: true }), noJsonSchema(), pageHints()],
  // The YAML language asks for the editor's worker where an older release had it.
  resolve: { alias: { 'monaco-editor/esm/vs/editor/editor.worker.js': 'monaco-editor/editor/editor.worker.js' } },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // The server compresses and sends the files that the manifest names; nothing is inlined, as the policy forbids data: scripts and fonts.
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      output: {
        // Files that need each other would otherwise run in the order in which they arrive.
        strictExecutionOrder: true,
        // The names of all files stand in the first one, where they took two of the 150 kB before signing in.
        chunkFileNames: ({ name }) => `assets/${shortName(name)}[hash].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${shortName(name)}[hash][extname]`,
        // By itself the bundler makes a file of everything two pages share, a hundred of a few hundred bytes each, and a page
        // then waits for round trips: what the first screen needs is one file, and what pages share is in few.
        codeSplitting: {
          groups: [
            // Runs before all other code, and is fetched beside it.
            { name: 'ahead', test: /dashboard\/src\/(ahead|api\/(ahead|credentials)|lib\/languages)\.ts/, priority: 5 },
            { name: 'start', test: /dashboard\/src\/(main|start)\.tsx?/, priority: 4 },
            // What all pages stand on, but not signing in.
            { name: 'panel', test: /dashboard\/src\/panel\.tsx/, priority: 3 },
            // After what all pages need, or it would take that along; its words in other languages come one by one.
            { name: 'editor', test: /node_modules\/monaco(?!.*nls\/lang)/, priority: 2 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 120_000, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000', changeOrigin: false } },
  },
})

/** Files that pages share would be named after all of those pages. */
function shortName(name: string): string {
  return name.startsWith(SHARED) ? '' : '[name]-'
}
