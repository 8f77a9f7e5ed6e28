import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type HttpProxy } from 'vite';
import { precompress } from './precompress.ts';

/** Address of the hub that `vite` passes requests on to while the console is written. */
const HUB = process.env['RAPPORT_HUB'] ?? 'http://localhost:3000';

/** Passes requests on as the console that the hub serves would send them: the hub refuses sessions from other origins. */
const toHub = {
  target: HUB,
  configure: (proxy: HttpProxy.ProxyServer) => {
    proxy.on('proxyReq', request => {
      if (request.hasHeader('origin')) request.setHeader('origin', HUB);
    });
  },
};

export default defineConfig({
  plugins: [react(), tailwind(), precompress()],
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    // The content policy refuses fonts in `data:` addresses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { '/v2': toHub, '/auth': toHub } },
});
