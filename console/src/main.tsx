import './app.css';
import { keepPreviousData, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { HubError } from './api/client.ts';
import { routeTree } from './routes.ts';
import { Toasts } from './ui/Toasts.tsx';

const STALE_MS = 15_000;
const MAX_RETRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      placeholderData: keepPreviousData,
      // A refusal stays one; what may pass is tried again.
      retry: (count, error) => count < MAX_RETRIES && !(error instanceof HubError && error.status < 500),
    },
  },
});

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Toasts>
        <RouterProvider router={router} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);
