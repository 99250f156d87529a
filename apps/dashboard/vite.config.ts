import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react({ compiler: true })],
  build: {
    target: 'es2023',
    // The server compresses and sends the files that the manifest names; nothing is inlined, as the policy forbids data: scripts and fonts.
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000', changeOrigin: false } },
  },
})
