package dev.headstone.auditlog;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;

/** A client whose first batches are left unread altogether, as a throttled table leaves them. */
final class Half {
    private final AtomicInteger calls = new AtomicInteger();
    private final DynamoDbClient client;

    Half(DynamoDbClient whole, int unreadBatches) {
        client =
                (DynamoDbClient)
                        Proxy.newProxyInstance(
                                DynamoDbClient.class.getClassLoader(),
                                new Class<?>[] {DynamoDbClient.class},
                                (_, method, arguments) -> {
                                    if (method.getName().equals("batchGetItem")
                                            && calls.incrementAndGet() <= unreadBatches) {
                                        return unread(arguments[0]);
                                    }
                                    try {
                                        return method.invoke(whole, arguments);
                                    } catch (InvocationTargetException failed) {
                                        throw failed.getCause();
                                    }
                                });
    }

    DynamoDbClient client() {
        return client;
    }

    int calls() {
        return calls.get();
    }

    @SuppressWarnings("unchecked")
    private static BatchGetItemResponse unread(Object argument) {
        BatchGetItemRequest.Builder request = BatchGetItemRequest.builder();
        ((Consumer<BatchGetItemRequest.Builder>) argument).accept(request);
        return BatchGetItemResponse.builder()
                .unprocessedKeys(request.build().requestItems())
                .build();
    }
}
